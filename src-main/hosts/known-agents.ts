/** What is known of an agent that speaks ACP. Names and arguments are those of the protocol's registry. */
export interface KnownAgent {
  id: string
  name: string
  /** Programs to look for, the best first. */
  programs: readonly string[]
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Its package on npm, where it has one. */
  npm?: string
}

export const knownAgents: readonly KnownAgent[] = [
  {
    id: 'claude',
    name: 'Claude Code',
    programs: ['claude-agent-acp', 'claude-code-acp'],
    args: [],
    npm: '@agentclientprotocol/claude-agent-acp',
  },
  { id: 'codex', name: 'Codex', programs: ['codex-acp'], args: [], npm: '@agentclientprotocol/codex-acp' },
  { id: 'gemini', name: 'Gemini CLI', programs: ['gemini'], args: ['--experimental-acp'], npm: '@google/gemini-cli' },
  { id: 'opencode', name: 'opencode', programs: ['opencode'], args: ['acp'], npm: 'opencode-ai' },
  { id: 'goose', name: 'goose', programs: ['goose'], args: ['acp'] },
  { id: 'qwen', name: 'Qwen Code', programs: ['qwen'], args: ['--acp'], npm: '@qwen-code/qwen-code' },
  { id: 'pi', name: 'pi', programs: ['pi-acp'], args: [], npm: 'pi-acp' },
  {
    id: 'auggie',
    name: 'Auggie',
    programs: ['auggie'],
    args: ['--acp'],
    env: { AUGMENT_DISABLE_AUTO_UPDATE: '1' },
    npm: '@augmentcode/auggie',
  },
  { id: 'cagent', name: 'Docker cagent', programs: ['cagent'], args: ['acp'] },
  { id: 'code-assistant', name: 'Code Assistant', programs: ['code-assistant'], args: ['acp'] },
  {
    id: 'copilot',
    name: 'GitHub Copilot',
    programs: ['copilot-language-server'],
    args: ['--acp'],
    npm: '@github/copilot-language-server',
  },
  { id: 'droid', name: 'Factory Droid', programs: ['droid'], args: ['exec', '--output-format', 'acp'] },
  { id: 'junie', name: 'Junie', programs: ['junie'], args: ['--acp=true'], npm: '@jetbrains/junie-cli' },
  { id: 'kimi', name: 'Kimi CLI', programs: ['kimi'], args: ['acp'] },
  { id: 'qoder', name: 'Qoder CLI', programs: ['qodercli'], args: ['--acp'], npm: '@qoder-ai/qodercli' },
  { id: 'stakpak', name: 'Stakpak', programs: ['stakpak'], args: ['acp'] },
  { id: 'vibe', name: 'Mistral Vibe', programs: ['vibe-acp'], args: [] },
]

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
  /** Hosts of its model and of its sign-in. */
  hosts?: readonly string[]
  /** Where it keeps its login and its sessions: `~/…`, or `$VARIABLE|where it is by default|…`. */
  keeps?: readonly string[]
  /** Its configuration, written the same way: what is there is run or believed later. */
  config?: readonly string[]
}

/** For agents that work with models of many makers. */
const modelHosts = [
  ...['api.openai.com', 'api.anthropic.com', 'openrouter.ai', 'generativelanguage.googleapis.com', 'api.mistral.ai'],
  ...['api.deepseek.com', 'api.groq.com', 'api.x.ai', 'api.githubcopilot.com', 'api.cerebras.ai', 'api.together.xyz'],
]
const inClaude = (name: string): string => `$CLAUDE_CONFIG_DIR|~/.claude|${name}`
const inCodex = (name: string): string => `$CODEX_HOME|~/.codex|${name}`
const inConfig = (name: string): string => `$XDG_CONFIG_HOME|~/.config|${name}`
const inData = (name: string): string => `$XDG_DATA_HOME|~/.local/share|${name}`
const inState = (name: string): string => `$XDG_STATE_HOME|~/.local/state|${name}`

export const knownAgents: readonly KnownAgent[] = [
  {
    id: 'claude',
    name: 'Claude Code',
    programs: ['claude-agent-acp', 'claude-code-acp'],
    args: [],
    npm: '@agentclientprotocol/claude-agent-acp',
    hosts: ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com', 'claude.ai'],
    keeps: [inClaude(''), '~/.claude.json'],
    config: ['settings.json', 'CLAUDE.md', 'commands', 'skills', 'agents', 'hooks', 'plugins'].map(inClaude),
  },
  {
    id: 'codex',
    name: 'Codex',
    programs: ['codex-acp'],
    args: [],
    npm: '@agentclientprotocol/codex-acp',
    hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
    keeps: [inCodex('')],
    config: ['config.toml', 'AGENTS.md', 'rules', 'prompts', 'skills', 'hooks.json'].map(inCodex),
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    programs: ['gemini'],
    args: ['--experimental-acp'],
    npm: '@google/gemini-cli',
    hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'],
    keeps: ['~/.gemini'],
    config: ['~/.gemini/settings.json', '~/.gemini/GEMINI.md', '~/.gemini/extensions', '~/.gemini/commands'],
  },
  {
    id: 'opencode',
    name: 'opencode',
    programs: ['opencode'],
    args: ['acp'],
    npm: 'opencode-ai',
    hosts: [...modelHosts, 'opencode.ai', 'models.dev'],
    keeps: [inData('opencode'), inState('opencode'), inConfig('opencode')],
    config: ['opencode.json', 'opencode.jsonc', 'AGENTS.md', 'command', 'agent', 'plugin', 'skill'].map((name) =>
      inConfig(`opencode/${name}`),
    ),
  },
  {
    id: 'goose',
    name: 'goose',
    programs: ['goose'],
    args: ['acp'],
    hosts: modelHosts,
    keeps: [inData('goose'), inState('goose'), inConfig('goose')],
    config: [inConfig('goose/config.yaml'), inConfig('goose/.goosehints')],
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    programs: ['qwen'],
    args: ['--acp'],
    npm: '@qwen-code/qwen-code',
    hosts: ['dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com', 'chat.qwen.ai', 'portal.qwen.ai'],
    keeps: ['~/.qwen'],
    config: ['~/.qwen/settings.json', '~/.qwen/QWEN.md', '~/.qwen/extensions', '~/.qwen/commands'],
  },
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

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A real agent from npm, and how it is pointed at the scripted model. */
export interface RealAgent {
  id: string
  packages: readonly string[]
  /** Its program, below the folder that the packages were installed into. */
  program: string
  args: readonly string[]
  /** Runs by Node, and needs a newer one than the system may have. */
  node?: true
  signIn?: string
  /** It offers to branch off its sessions. */
  forks?: true
  env(url: string, home: string): Record<string, string>
}

const openAi = (url: string) => ({ OPENAI_API_KEY: 'scripted', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted' })

export const realAgents: readonly RealAgent[] = [
  {
    id: 'goose',
    packages: ['@aaif/goose-binary-linux-x64@1.52.0'],
    program: 'node_modules/@aaif/goose-binary-linux-x64/bin/goose',
    args: ['acp'],
    env: (url) => ({
      GOOSE_PROVIDER: 'openai',
      OPENAI_HOST: url,
      OPENAI_API_KEY: 'scripted',
      GOOSE_MODEL: 'scripted',
      GOOSE_MODE: 'approve',
      GOOSE_DISABLE_KEYRING: '1',
    }),
  },
  {
    id: 'opencode',
    packages: ['opencode-ai@1.18.33'],
    program: 'node_modules/opencode-linux-x64/bin/opencode',
    args: ['acp'],
    forks: true,
    env: (url) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        model: 'local/scripted',
        small_model: 'local/scripted',
        autoupdate: false,
        share: 'disabled',
        permission: { bash: 'ask', edit: 'ask' },
        provider: {
          local: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Local',
            options: { baseURL: `${url}/v1`, apiKey: 'scripted' },
            models: { scripted: { name: 'Scripted', tool_call: true, limit: { context: 100_000, output: 4096 } } },
          },
        },
      }),
    }),
  },
  {
    id: 'qwen',
    packages: ['@qwen-code/qwen-code@0.24.4'],
    program: 'node_modules/.bin/qwen',
    args: ['--acp'],
    node: true,
    signIn: 'openai',
    env: openAi,
  },
  {
    id: 'claude',
    packages: ['@agentclientprotocol/claude-agent-acp@0.99.1'],
    program: 'node_modules/.bin/claude-agent-acp',
    args: [],
    node: true,
    forks: true,
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      IS_SANDBOX: '1',
      // Otherwise tools of servers are looked for first.
      ENABLE_TOOL_SEARCH: 'false',
    }),
  },
  {
    id: 'codex',
    packages: ['@agentclientprotocol/codex-acp@2.6.0'],
    program: 'node_modules/.bin/codex-acp',
    args: [],
    node: true,
    signIn: 'api-key',
    forks: true,
    env: (url) => ({
      OPENAI_API_KEY: 'scripted',
      INITIAL_AGENT_MODE: 'read-only',
      CODEX_CONFIG: JSON.stringify({
        model: 'scripted',
        model_provider: 'local',
        model_providers: {
          local: { name: 'Local', base_url: `${url}/v1`, wire_api: 'responses', env_key: 'OPENAI_API_KEY' },
        },
      }),
    }),
  },
]

/** How the settings name it; null where it is not installed. */
export function agentServer(agent: RealAgent, installed: string, url: string, home: string) {
  const program = join(installed, agent.program)
  if (!existsSync(program)) return null
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.data'),
    ...agent.env(url, home),
  }
  if (!agent.node) return traced({ command: program, args: [...agent.args], env })
  // Electron's own Node is new enough, whatever the system has; what the agent starts by `node` is the same.
  const shim = join(home, 'node')
  writeFileSync(shim, `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec '${process.execPath}' "$@"\n`, { mode: 0o755 })
  return traced({
    command: shim,
    args: [program, ...agent.args],
    env: { ...env, PATH: `${home}:${process.env.PATH}`, ELECTRON_RUN_AS_NODE: '1' },
  })
}

interface AgentServer {
  command: string
  args: string[]
  env: Record<string, string>
}

/** With DECKHAND_AGENT_LOG=FILE what is said in both directions is written to it. */
function traced(server: AgentServer): AgentServer {
  const file = process.env.DECKHAND_AGENT_LOG
  if (!file) return server
  const script = `exec 2>>'${file}.err'; tee -a '${file}.in' | "$0" "$@" | tee -a '${file}.out'`
  return { ...server, command: '/bin/sh', args: ['-c', script, server.command, ...server.args] }
}

import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { HookInfo } from '../../src-preload/contract/hooks'
import type { McpServerConfig } from '../../src-preload/contract/mcp'
import type { Database } from '../database'
import type { Engine } from '../engine'
import { isRecord } from '../is-record'
import { looksSecret } from '../mcp/server-secrets'
import { copySkill } from '../moving-in/copy-skill'
import { createMovingIn, type Keepers, type MovingIn } from '../moving-in/moving-in'

interface Parts
  extends Pick<Engine, 'dataDir' | 'store' | 'mcp' | 'settings' | 'agents' | 'createSession' | 'keyStore'> {
  database: Database
  publish(event: DeckhandEvent): void
}

const toolNames = {
  claude: 'Claude Code',
  codex: 'Codex',
  opencode: 'opencode',
  gemini: 'Gemini CLI',
  vscode: 'VS Code',
}

/** Joins what is found of other agents with where each kind of thing is kept here. */
export function composeMovingIn(parts: Parts): MovingIn {
  const { dataDir, store, publish } = parts
  const keep: Keepers = {
    mcp: async ({ id, config }) => {
      if (parts.mcp.view().some((server) => server.id === id)) throw new Error(`There is a server ${id} already.`)
      const { open, secrets } = withoutSecrets(config)
      if (Object.keys(secrets).length > 0 && parts.keyStore === 'none')
        throw new Error('It has secrets, and there is no keychain for them here. Import it in the window.')
      parts.mcp.save({ id, config: open, secrets })
      return `Added the MCP server ${id}.`
    },
    rule: async ({ verdict, action, match, sentence }) => {
      store.rules.add({ scope: 'everywhere', subject: '', verdict, action, match, sentence })
      publish({ type: 'rules', rules: store.rules.list() })
      return `Added the rule: ${sentence}.`
    },
    command: async ({ name, text }) => {
      const parts = name.split(':')
      if (parts.some((part) => !/^[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u.test(part)))
        throw new Error(`${name} cannot be the name of a command here.`)
      const file = join(dataDir, 'commands', `${parts.join('/')}.md`)
      if (existsSync(file)) throw new Error(`There is a command /${name} already.`)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await writeFile(file, text, { mode: 0o600 })
      return `Added the slash command /${name}.`
    },
    skill: async ({ name, folder }) => {
      const target = join(parts.agents.files.sharedSkills(), name)
      if (existsSync(target)) throw new Error(`There is a skill ${name} already.`)
      await copySkill(folder, target)
      publish({ type: 'skills' })
      return `Copied the skill ${name}.`
    },
    instructions: async ({ text }, { from }) => {
      const file = join(dataDir, 'AGENTS.md')
      const before = existsSync(file) ? `${(await readFile(file, 'utf8')).trimEnd()}\n\n` : ''
      await writeFile(file, `${before}<!-- From ${from} -->\n\n${text.trim()}\n`, { mode: 0o600 })
      return `Added to AGENTS.md in the data folder.`
    },
    hook: async ({ hook }) => {
      parts.settings.setSection('hooks', withHook(parts.settings.section('hooks'), hook))
      return `Added a hook at ${hook.event}.`
    },
    session: async ({ title, workspace, at, read }, { tool, from }) => {
      const messages = await read()
      const session = parts.createSession({ title, ...(existsSync(workspace) && { workspace }) })
      store.transaction(() => {
        for (const { role, text } of messages)
          store.messages.append({ sessionId: session.id, role, parts: [{ type: 'text', text }] })
        const words = `Imported from ${toolNames[tool]} (${from}). What was said is above; its tool calls are left out. You can go on from here.`
        store.messages.append({
          sessionId: session.id,
          role: 'system',
          parts: [{ type: 'notice', notice: { kind: 'event', text: words } }],
        })
        store.sessions.backdate(session.id, at)
      })
      publish({ type: 'session', session: store.sessions.get(session.id) })
      return `Added the session ${title}.`
    },
  }
  return createMovingIn({ database: parts.database, home: homedir(), keep })
}

/** Values that look secret go to the keychain and not into the settings file. */
function withoutSecrets(config: McpServerConfig): { open: McpServerConfig; secrets: Record<string, string> } {
  const split = (values: Record<string, string> = {}) => ({
    open: Object.fromEntries(Object.entries(values).filter(([name]) => !looksSecret.test(name))),
    secret: Object.fromEntries(
      Object.entries(values).filter(([name, value]) => looksSecret.test(name) && value !== ''),
    ),
  })
  const { env, headers, ...rest } = config
  const [variables, heads] = [split(env), split(headers)]
  return {
    open: {
      ...rest,
      ...(env && { env: variables.open, secretEnv: Object.keys(variables.secret) }),
      ...(headers && { headers: heads.open, secretHeaders: Object.keys(heads.secret) }),
    },
    secrets: { ...variables.secret, ...heads.secret },
  }
}

function withHook(section: unknown, { event, matcher, command, timeout }: HookInfo): Record<string, unknown> {
  const before = isRecord(section) ? section : {}
  const groups = Array.isArray(before[event]) ? before[event] : []
  const entry = { ...(matcher && { matcher }), hooks: [{ type: 'command', command, timeout }] }
  return { ...before, [event]: [...groups, entry] }
}

import { join } from 'node:path'
import { isRecord } from '../is-record'
import { type Draft, not, ready } from './draft'
import { filesBelow, listOf, readJsonFile, readText, shown, textOf } from './files'
import { geminiChats } from './gemini-chats'
import { commandRule, otherRule, plainWords } from './rules'
import { serverDrafts } from './servers'
import { instructionDraft, skillDrafts } from './texts'

const tool = 'gemini'

/** Gemini CLI: ~/.gemini. */
export async function findGemini(home: string): Promise<Draft[]> {
  const root = join(home, '.gemini')
  const path = join(root, 'settings.json')
  const settings = (await readJsonFile(path)) ?? {}
  const from = shown(path, home)
  const tools = isRecord(settings.tools) ? settings.tools : {}
  return [
    ...serverDrafts(tool, from, settings.mcpServers),
    ...toolDrafts([...listOf(tools.allowed), ...listOf(settings.allowedTools)], 'allow', from),
    ...toolDrafts([...listOf(tools.exclude), ...listOf(settings.excludeTools)], 'deny', from),
    ...(settings.hooks
      ? [not({ tool, kind: 'hook', name: 'hooks', from }, 'Its events and answers are not those of Claude Code.')]
      : []),
    ...(await commandDrafts(join(root, 'commands'), home)),
    ...(await skillDrafts(tool, join(root, 'skills'), home)),
    ...(await instructionDraft(tool, join(root, 'GEMINI.md'), home)),
    ...(await geminiChats(join(root, 'tmp'), home)),
  ]
}

/** `run_shell_command(git status)` allows what begins with these words. */
const toolDrafts = (names: readonly unknown[], verdict: 'allow' | 'deny', from: string): Draft[] =>
  names.map((entry) => {
    const written = textOf(entry)
    const source = { tool, from, written, verdict } as const
    const [, command] = /^(?:run_shell_command|ShellTool)\(([\s\S]+)\)$/.exec(written) ?? []
    return command === undefined
      ? otherRule(source, 'What concerns a whole kind of call is the mode below the message box.')
      : commandRule(source, plainWords(command), true)
  })

/** TOML with a prompt; `{{args}}` is where the arguments go. */
async function commandDrafts(folder: string, home: string): Promise<Draft[]> {
  const { parse } = await import('smol-toml')
  const files = await filesBelow(folder, '.toml')
  return Promise.all(
    files.map(async (path) => {
      const name = path.slice(0, -'.toml'.length).replaceAll('/', ':')
      const from = shown(join(folder, path), home)
      const text = (await readText(join(folder, path))) ?? ''
      const wish = { tool, kind: 'command', name: `/${name}`, from, detail: text.slice(0, 2000) } as const
      let read: Record<string, unknown> = {}
      try {
        read = parse(text)
      } catch {
        return not(wish, 'It is not valid TOML.')
      }
      const prompt = textOf(read.prompt)
      if (!prompt) return not(wish, 'It has no prompt.')
      const body = prompt.replaceAll('{{args}}', '$ARGUMENTS').replace(/!\{([^{}\n]+)\}/g, '!`$1`')
      const description = textOf(read.description)
      const head = description ? `---\ndescription: ${JSON.stringify(description)}\n---\n` : ''
      return ready(wish, `slash command /${name}`, { kind: 'command', name, text: `${head}${body}` })
    }),
  )
}

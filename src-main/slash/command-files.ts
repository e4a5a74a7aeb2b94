import { readdir, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { isRecord } from '../is-record'
import { readPlainFile } from '../read-plain-file'
import type { SlashEntry, SlashSource } from './slash-commands'

interface CommandFilesOptions {
  /** Our own folder. */
  own: string
  home: string
}

interface CommandFile {
  text: string
  description: string
  hint: string
}

const deepest = 3
const mostFiles = 300
const maxBytes = 256 * 1024
const longestLine = 300

/** Commands that are Markdown files: those in our own folder, the user's, and the project's, in this order. */
export const commandFiles = ({ own, home }: CommandFilesOptions): SlashSource => ({
  async list({ workspace }) {
    const [ours, users, agents, claude] = await Promise.all([
      commandsIn(own, null, 'your commands', false),
      commandsIn(join(home, '.claude/commands'), null, '~/.claude/commands', false),
      commandsIn(join(workspace, '.agents/commands'), workspace, 'this project', true),
      commandsIn(join(workspace, '.claude/commands'), workspace, 'this project', true),
    ])
    return [ours, users, agents, claude].flat()
  },
})

/** `within`: a folder that links must not lead out of. */
async function commandsIn(
  root: string,
  within: string | null,
  from: string,
  untrusted: boolean,
): Promise<SlashEntry[]> {
  const paths = (await markdownIn(root, '', deepest)).slice(0, mostFiles)
  const entries = await Promise.all(
    paths.map(async (path): Promise<SlashEntry[]> => {
      const file = join(root, path)
      const text = await readText(file, within)
      if (text === null) return []
      const { description, hint } = await readCommand(text)
      const name = path.replace(/\.md$/i, '').replaceAll('/', ':')
      return [{ name, description, hint, from, untrusted, expand: (args) => expandFile(file, within, args) }]
    }),
  )
  return entries.flat()
}

async function expandFile(file: string, within: string | null, args: string) {
  const text = await readText(file, within)
  if (text === null) throw new Error(`${file} cannot be read any more.`)
  return { text: expandCommand((await readCommand(text)).text, args) }
}

/** Puts the arguments of a command into its text. Words in quotes count as one. */
export function expandCommand(text: string, args: string): string {
  const words = splitWords(args)
  let used = false
  const filled = text.replace(/\$ARGUMENTS\[(\d{1,2})\]|\$ARGUMENTS\b|\$(\d)(?!\d)/g, (whole, index, digit) => {
    used = true
    if (index !== undefined) return words[Number(index)] ?? ''
    if (digit === undefined) return args
    return digit === '0' ? whole : (words[Number(digit) - 1] ?? '')
  })
  const rest = !used && args.trim() !== '' ? `\n\nARGUMENTS: ${args}` : ''
  const runs = /(?<!\w)!`[^`\n]+`/.test(filled) ? `\n\n${runNote}` : ''
  return `${filled.trim()}${rest}${runs}`
}

/** Other programs run such commands before the model sees the text. Here each one passes the approvals like any other. */
const runNote =
  '(Text of the form !`command` stands for the output of that command: run it yourself first, and read on with its output in its place.)'

const splitWords = (args: string): string[] =>
  [...args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')

async function readCommand(text: string): Promise<CommandFile> {
  const found = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text)
  const body = found ? (found[2] ?? '') : text
  const fields = found ? await readFields(found[1] ?? '') : {}
  const firstLine = body.split('\n').find((line) => line.trim() !== '') ?? ''
  return {
    text: body,
    description: line(fields.description) || line(firstLine.replace(/^#+\s*/, '')),
    hint: line(fields['argument-hint']) || (/\$ARGUMENTS|\$[1-9]/.test(body) ? '[arguments]' : ''),
  }
}

async function readFields(text: string): Promise<Record<string, unknown>> {
  const { parse } = await import('yaml')
  try {
    const value: unknown = parse(text, { maxAliasCount: 0, logLevel: 'error' })
    return isRecord(value) ? value : {}
  } catch {
    // Hints such as [a] [b] are no YAML, and common: the fields are read line by line then.
    return Object.fromEntries([...text.matchAll(/^([\w-]+):[ \t]*(.*)$/gm)].map(([, key = '', value]) => [key, value]))
  }
}

const line = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.join(' ')}]`.slice(0, longestLine)
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).replace(/\s+/g, ' ').trim().slice(0, longestLine)
    : ''
}

async function markdownIn(root: string, path: string, depth: number): Promise<string[]> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EACCES') return []
    throw error
  })
  const below = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith('.'))
      .map(async (entry) => {
        const here = path ? `${path}/${entry.name}` : entry.name
        if (entry.isDirectory()) return depth > 0 ? markdownIn(root, here, depth - 1) : []
        return /\.md$/i.test(entry.name) ? [here] : []
      }),
  )
  return below.flat().sort()
}

/** Null for what is no file of ordinary size, or lies outside. */
async function readText(path: string, within: string | null): Promise<string | null> {
  return within !== null && !(await isInside(path, within)) ? null : readPlainFile(path, maxBytes)
}

async function isInside(path: string, folder: string): Promise<boolean> {
  try {
    const way = relative(await realpath(folder), await realpath(path))
    return !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

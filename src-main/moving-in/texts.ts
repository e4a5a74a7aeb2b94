import { dirname, join } from 'node:path'
import type { ImportTool } from '../../src-preload/contract/moving-in'
import { type Draft, not, ready, used } from './draft'
import { filesBelow, readText, shown } from './files'

const longest = 256 * 1024

/** Markdown files that are slash commands here in the same form. */
export async function commandDrafts(tool: ImportTool, folder: string, home: string, ending = '.md'): Promise<Draft[]> {
  const files = await filesBelow(folder, ending)
  return Promise.all(
    files.map(async (path) => {
      const name = path.slice(0, -ending.length).replaceAll('/', ':')
      const from = shown(join(folder, path), home)
      const text = await readText(join(folder, path), longest)
      const wish = { tool, kind: 'command' as const, name: `/${name}`, from, detail: text?.slice(0, 2000) ?? '' }
      return text === null
        ? not(wish, 'It cannot be read.')
        : ready(wish, `slash command /${name}`, { kind: 'command', name, text })
    }),
  )
}

/** Skills that are used where they are: nothing has to be copied. */
export async function sharedSkills(tool: ImportTool, folder: string, home: string): Promise<Draft[]> {
  const files = await filesBelow(folder, 'SKILL.md', 3)
  return files.map((path) => {
    const from = shown(join(folder, path), home)
    return used({ tool, kind: 'skill', name: dirname(path), from }, `skill ${dirname(path)}, read where it is`)
  })
}

/** Skills of a folder that only the other program reads. */
export async function skillDrafts(tool: ImportTool, folder: string, home: string): Promise<Draft[]> {
  const files = (await filesBelow(folder, 'SKILL.md', 2)).filter((path) => path.includes('/') && !path.startsWith('.'))
  return files.map((path) => {
    const name = dirname(path)
    const from = shown(join(folder, path), home)
    const carry = { kind: 'skill' as const, name: name.replaceAll('/', '-'), folder: join(folder, name) }
    return ready({ tool, kind: 'skill', name, from }, `skill ${name}, copied into the data folder`, carry)
  })
}

/** A file with the user's instructions for all work. */
export async function instructionDraft(tool: ImportTool, path: string, home: string): Promise<Draft[]> {
  const text = await readText(path, longest)
  if (text === null || text.trim() === '') return []
  const from = shown(path, home)
  const wish = { tool, kind: 'instructions' as const, name: from, from, detail: text.slice(0, 4000) }
  return [ready(wish, 'added to your own AGENTS.md in the data folder', { kind: 'instructions', text })]
}

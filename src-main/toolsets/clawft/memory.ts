import { mkdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { fileDiff } from '../../changes/file-diff'
import { errorCode } from '../../error-code'
import { writeWhole } from '../../nodes/files/write-whole'
import { inputShape } from '../../tools/input'
import { jsonContent } from '../../tools/json-result'
import type { Tool } from '../../tools/tool'

const readShape = inputShape(() =>
  z.object({ query: z.string().optional().describe('Only paragraphs with this text') }),
)
const writeShape = inputShape(() =>
  z.object({ content: z.string(), mode: z.enum(['append', 'overwrite']).optional().describe('Default: append') }),
)

/** The notes that clawft keeps across conversations, in its own folder or that of its predecessor. */
export function clawftMemoryTools(node: string, home: () => string = homedir): Map<string, Tool> {
  const placeOf = (app: string): string => join(home(), app, 'workspace', 'memory', 'MEMORY.md')

  const find = async (): Promise<{ path: string; text: string | null }> => {
    for (const path of [placeOf('.clawft'), placeOf('.nanobot')]) {
      const text = await textOrNull(path)
      if (text !== null) return { path, text }
    }
    return { path: placeOf('.clawft'), text: null }
  }
  const written = async ({ content, mode = 'append' }: ReturnType<typeof writeShape.parse>) => {
    const { path, text } = await find()
    const after = mode === 'overwrite' || !text ? content : `${text.replace(/\n+$/, '')}\n\n${content}`
    return { path, before: text, after }
  }

  const read: Tool<ReturnType<typeof readShape.parse>> = {
    description: 'Read your notes (MEMORY.md), or only the paragraphs that contain a text.',
    ...readShape,
    readOnly: true,
    access: (_, { workspace }) => ({ action: 'read', node, workspace, cwd: workspace, toolKey: 'memory.read' }),
    gist: ({ query }) => query ?? 'MEMORY.md',
    async run({ query }) {
      const { text } = await find()
      if (text === null) return { content: jsonContent({ content: '', message: 'No memory file found' }) }
      if (query === undefined) return { content: jsonContent({ content: text }) }
      const wanted = query.toLowerCase()
      const matches = text
        .split(/\r?\n(?:[ \t]*\r?\n)+/)
        .map((paragraph) => paragraph.trim())
        .filter((paragraph) => paragraph !== '' && paragraph.toLowerCase().includes(wanted))
      return { content: jsonContent({ query, matches, count: matches.length }) }
    },
  }
  const write: Tool<ReturnType<typeof writeShape.parse>> = {
    description: 'Write to your notes (MEMORY.md): append, or replace all of them.',
    ...writeShape,
    readOnly: false,
    access: (_, { workspace }) => ({ action: 'write', node, workspace, cwd: workspace, toolKey: 'memory.write' }),
    gist: ({ content }) => content.trim().split('\n')[0]?.slice(0, 120) ?? '',
    async preview(input) {
      const { path, before, after } = await written(input)
      return [fileDiff(path, before, after)]
    },
    async run(input) {
      const { path, before, after } = await written(input)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await writeWhole(path, Buffer.from(after))
      const message = `Successfully wrote ${Buffer.byteLength(input.content)} bytes to memory (mode: ${input.mode ?? 'append'})`
      return {
        content: jsonContent({ message, path }),
        display: { type: 'diff', files: [fileDiff(path, before, after)] },
      }
    },
  }
  return new Map<string, Tool>([
    ['memory_read', read],
    ['memory_write', write],
  ])
}

async function textOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Lines } from '../../nodes/files/read-lines'
import { createApplyPatchTool } from '../../tools/files/apply-patch'
import { createEditTool } from '../../tools/files/edit'
import { createGlobTool, splitPattern } from '../../tools/files/glob'
import { createGrepTool, maxMatches, placeOf } from '../../tools/files/grep'
import { accessToOne, displayPath, resolvePath } from '../../tools/files/paths'
import { createReadTool, readContents } from '../../tools/files/read'
import { createWriteTool } from '../../tools/files/write'
import { inputShape } from '../../tools/input'
import type { ToolNode } from '../../tools/nodes/tool-node'
import { textContent } from '../../tools/text-content'
import type { Tool } from '../../tools/tool'

const pageBytes = 50 * 1024
/** If a number of lines is asked for. */
const maxPageBytes = 512 * 1024
/** For the sentence that says how to continue. */
const noticeBytes = 512

const readShape = inputShape(() =>
  z.object({
    path: z.string(),
    offset: z.int().min(0).optional().describe('Start line, from 0'),
    limit: z.int().min(0).optional().describe('Most lines'),
  }),
)

/** Pages of 50 KB with line numbers; up to 512 KB if a number of lines is asked for. */
export function createMiclawRead(node: ToolNode): Tool<ReturnType<typeof readShape.parse>> {
  return {
    ...createReadTool(node),
    ...readShape,
    description: 'Read a file as numbered lines, in pages of 50 KB, or of up to 512 KB with `limit`.',
    async run({ path: given, offset = 0, limit }, { workspace, sessionId, signal, checked }) {
      const path = resolvePath(given, workspace)
      const page = (limit === undefined ? pageBytes : maxPageBytes) - noticeBytes
      const range = { offset, limit: limit ?? Number.POSITIVE_INFINITY, maxBytes: page }
      const contents = await readContents(node.files(), path, range, { signal, checked })
      await node.memory?.remember(sessionId, path)
      if (contents.kind === 'image') {
        const { mimeType, data } = contents
        return { content: [{ type: 'image', data, mimeType }], display: { type: 'image', path, mimeType, data } }
      }
      return {
        content: textContent(numbered(contents, offset, page)),
        display: {
          type: 'file',
          path: displayPath(path, workspace),
          startLine: offset + 1,
          lines: contents.lines.length,
          text: contents.lines.join('\n').slice(0, 20_000),
          ...(contents.cut && { truncated: true }),
        },
      }
    },
  }
}

function numbered({ lines, cut, seen }: Lines, offset: number, page: number): string {
  if (lines.length === 0) return offset > 0 ? `[The file has ${seen} lines]` : '[The file is empty]'
  const text = lines.map((line, index) => `${offset + index + 1}\t${line}`).join('\n')
  const bytes = Buffer.from(text)
  if (bytes.length > page) {
    // One line that is longer than a page.
    const head = bytes.toString('utf8', 0, page).replace(/\uFFFD$/, '')
    return `${head}\n[Line ${offset + 1} is cut here. Continue with offset=${offset + 1}]`
  }
  return cut ? `${text}\n[There are more lines. Continue with offset=${offset + lines.length}]` : text
}

const editShape = inputShape(() =>
  z.object({
    path: z.string(),
    old_text: z.string().describe('Exact text that occurs once'),
    new_text: z.string(),
  }),
)
const grepShape = inputShape(() =>
  z.object({
    pattern: z.string().describe('Regular expression'),
    path: z.string().optional().describe('Default: the workspace'),
    include: z.string().optional().describe('Such as *.go'),
  }),
)
const lsShape = inputShape(() => z.object({ path: z.string() }))

/** The tools that change files: those of the default vocabulary, with a sentence as the result. */
export function miclawWriters(node: ToolNode): [string, Tool][] {
  const baseWrite = createWriteTool(node)
  const write: typeof baseWrite = {
    ...baseWrite,
    description: 'Create or overwrite a file; makes missing folders.',
    async run(input, context) {
      const { display } = await baseWrite.run(input, context)
      return {
        content: textContent(`Wrote ${Buffer.byteLength(input.content)} bytes to ${input.path}`),
        display,
      }
    },
  }
  const baseEdit = createEditTool(node)
  const edit: typeof baseEdit = {
    ...baseEdit,
    schema: editShape.schema,
    parse: (raw) => {
      const { path, old_text, new_text } = editShape.parse(raw)
      return { path, oldString: old_text, newString: new_text }
    },
    description: 'Replace a text that occurs exactly once in a file.',
    async run(input, context) {
      const { display } = await baseEdit.run(input, context)
      return { content: textContent(`Edited ${input.path}`), display }
    },
  }
  const basePatch = createApplyPatchTool(node)
  const patch: typeof basePatch = {
    ...basePatch,
    async run(input, context) {
      const { display } = await basePatch.run(input, context)
      const files = display?.type === 'diff' ? display.files : []
      const lines = files.map(({ kind, path, added, removed }) => `${kind} ${path} (+${added} -${removed})`)
      return { content: textContent(lines.join('\n')), display }
    },
  }
  return [
    ['write', write],
    ['edit', edit],
    ['apply_patch', patch],
  ]
}

/** The tools that search for files and in them, with one line per match. */
export function miclawFinders(node: ToolNode): [string, Tool][] {
  const grep: Tool<ReturnType<typeof grepShape.parse>> = {
    ...createGrepTool(node),
    ...grepShape,
    description: 'Search file contents. Returns path:line: text.',
    async run({ pattern, path = '.', include }, context) {
      const { workspace } = context
      const wanted = { pattern, limit: maxMatches, ...placeOf(resolvePath(path, workspace), context) }
      const { matches, truncated } = await node.files().search({ ...wanted, include }, context)
      const rows = matches.map((match) => ({ ...match, path: displayPath(match.path, workspace) }))
      const more = truncated ? [`[Only the first ${matches.length} matches]`] : []
      const lines = [...rows.map((row) => `${row.path}:${row.line}: ${row.content}`), ...more]
      return {
        content: textContent(lines.join('\n') || 'No matches.'),
        display: {
          type: 'matches',
          rows: rows.map((row) => ({ path: row.path, line: row.line, text: row.content })),
          total: rows.length,
        },
      }
    },
  }
  const baseGlob = createGlobTool(node)
  const glob: typeof baseGlob = {
    ...baseGlob,
    description: 'Find files by a glob pattern such as **/*.go.',
    async run({ pattern, path }, context) {
      const { workspace } = context
      const { base, rest } = splitPattern(pattern, path, workspace)
      const found = (await node.files().find(rest, base, context)).map((file) => displayPath(file, workspace))
      return {
        content: textContent(found.join('\n') || 'No files found.'),
        display: { type: 'matches', rows: found.slice(0, 200).map((file) => ({ path: file })), total: found.length },
      }
    },
  }
  const ls: Tool<ReturnType<typeof lsShape.parse>> = {
    description: 'List a folder: type, size in bytes and name of each entry.',
    ...lsShape,
    readOnly: true,
    access: ({ path }, { workspace }) => accessToOne('read', path, node.id, workspace),
    gist: ({ path }) => path,
    async run({ path }, { workspace }) {
      const entries = await entriesOf(resolvePath(path, workspace))
      return {
        content: textContent(entries.map(({ type, size, name }) => `${type}\t${size}\t${name}`).join('\n') || 'Empty.'),
        display: {
          type: 'matches',
          rows: entries.slice(0, 200).map(({ type, name }) => ({ path: type === 'dir' ? `${name}/` : name })),
          total: entries.length,
        },
      }
    },
  }
  return [
    ['grep', grep],
    ['glob', glob],
    ['ls', ls],
  ]
}

/** Folders first. Anything that is neither a folder nor a link counts as a file. */
async function entriesOf(folder: string): Promise<{ type: 'file' | 'dir' | 'link'; size: number; name: string }[]> {
  const names = await readdir(folder)
  const entries = await Promise.all(
    names.map(async (name) => {
      // A file that was deleted since it was listed is kept in the list.
      const found = await lstat(join(folder, name)).catch(() => null)
      const type = found?.isDirectory() ? 'dir' : found?.isSymbolicLink() ? 'link' : 'file'
      return { type, size: found?.size ?? 0, name } as const
    }),
  )
  return entries.sort((a, b) => Number(b.type === 'dir') - Number(a.type === 'dir') || (a.name < b.name ? -1 : 1))
}

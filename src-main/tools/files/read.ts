import { basename } from 'node:path'
import { z } from 'zod'
import { decodeText } from '../../changes/text-encoding'
import type { NodeFiles } from '../../nodes/files/node-files'
import type { LineRange, Lines } from '../../nodes/files/read-lines'
import { clientFiles } from '../client/client-files'
import { inputShape } from '../input'
import { jsonContent } from '../json-result'
import type { ToolNode } from '../nodes/tool-node'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '../tool'
import { accessToOne, displayPath, resolvePath } from './paths'

const maxImageBytes = 10 * 1024 * 1024
const maxUtf16Bytes = 64 * 1024 * 1024
/** How much of a file is read to detect its type. */
const sniffedBytes = 64 * 1024
/** Size of the fields around the lines. */
const frameBytes = 1024
const shownChars = 20_000

const shape = inputShape(() =>
  z.object({
    path: z.string(),
    offset: z.number().int().min(0).optional().describe('Lines to skip'),
    limit: z.number().int().min(0).optional().describe('Lines to read; default all'),
  }),
)

type ReadInput = ReturnType<typeof shape.parse>

/** The content of a file for a reader. */
type FileContents = ({ kind: 'text' } & Lines) | { kind: 'image'; mimeType: string; data: string; size: number }

/** Text by lines, or an image as a whole; anything else is a failure that names what it is. */
export async function readContents(
  files: NodeFiles,
  path: string,
  range: LineRange,
  scope: Pick<ToolContext, 'signal' | 'checked'>,
): Promise<FileContents> {
  const { signal, checked } = scope
  const lines = await files.lines(path, range, { signal, checked })
  if (lines) return { kind: 'text', ...lines }
  const size = (await files.stat(path, { signal }))?.size ?? 0
  const start = await files.read(path, { mostBytes: Math.min(size, sniffedBytes), signal, checked })
  const wide = isUtf16(start) && size <= maxUtf16Bytes ? decodeText(await files.read(path, { signal, checked })) : null
  if (wide) return { kind: 'text', ...linesOf(wide.text, range) }
  const { fileTypeFromBuffer } = await import('file-type')
  const mimeType = (await fileTypeFromBuffer(start))?.mime ?? 'application/octet-stream'
  const name = `${basename(path)} (${mimeType}, ${size} bytes)`
  if (!mimeType.startsWith('image/')) {
    throw new ToolFailure('ExecutionFailed', `Binary file: ${name} — not a text or image file`)
  }
  if (size > maxImageBytes) {
    throw new ToolFailure('ExecutionFailed', `Image file: ${name} — larger than the limit of 10 MB`)
  }
  return { kind: 'image', mimeType, data: (await files.read(path, { signal, checked })).toString('base64'), size }
}

const isUtf16 = (start: Buffer): boolean => /^(fffe|feff)/.test(start.toString('hex', 0, 2))

function linesOf(text: string, { offset, limit }: LineRange): Lines {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return { lines: lines.slice(offset, offset + limit), cut: false, seen: lines.length }
}

/** Files with line numbers, and images. */
export function createReadTool({ id, files, memory }: ToolNode): Tool<ReadInput> {
  return {
    description:
      'Read a text file as numbered lines, or an image. A long file comes in parts: continue at `nextOffset`.',
    ...shape,
    readOnly: true,
    access: (input, { workspace }) => accessToOne('read', input.path, id, workspace),
    gist: (input) => input.path + rangeOf(input),
    async run(input, context) {
      const { offset = 0, limit = Number.POSITIVE_INFINITY } = input
      const path = resolvePath(input.path, context.workspace)
      const range = { offset, limit, maxBytes: context.resultBytes - frameBytes }
      const contents = await readContents(clientFiles(files(), context), path, range, context)
      await memory?.remember(context.sessionId, path)
      return contents.kind === 'text' ? textResult(path, offset, contents, context) : imageResult(path, contents)
    },
  }
}

/** `lines` begin after the first `offset` lines of the file. */
function textResult(path: string, offset: number, { lines, cut, seen }: Lines, context: ToolContext): ToolResult {
  const next = offset + lines.length
  const text = lines.join('\n')
  return {
    content: jsonContent({
      path,
      content: lines.map((line, index) => `${offset + index + 1}\t${line}`).join('\n'),
      lines: lines.length,
      ...(cut && { truncated: true, nextOffset: next }),
      ...(lines.length === 0 && offset > 0 && { note: `The file has ${seen} lines` }),
    }),
    display: {
      type: 'file',
      path: displayPath(path, context.workspace),
      startLine: offset + 1,
      lines: lines.length,
      text: text.slice(0, shownChars),
      ...((cut || text.length > shownChars) && { truncated: true }),
    },
  }
}

function imageResult(path: string, image: Extract<FileContents, { kind: 'image' }>): ToolResult {
  const { mimeType, data, size } = image
  return {
    content: [
      { type: 'text', text: `Image file: ${basename(path)} (${mimeType}, ${size} bytes)` },
      { type: 'image', data, mimeType },
    ],
    display: { type: 'image', path, mimeType, data },
  }
}

function rangeOf({ offset = 0, limit }: ReadInput): string {
  if (limit !== undefined) return `:${offset + 1}-${offset + limit}`
  return offset > 0 ? `:${offset + 1}-` : ''
}

import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import type { FileMemory } from './file-memory'
import { inputShape } from './input'
import { jsonContent } from './json-result'
import { withFile } from './open-file'
import { accessToOne, displayPath, resolvePath } from './paths'
import { type Lines, readLines } from './read-lines'
import { decodeText } from './text-encoding'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from './tool'

const maxImageBytes = 10 * 1024 * 1024
const maxUtf16Bytes = 64 * 1024 * 1024
/** What the fields around the lines may weigh. */
const frameBytes = 1024
const shownChars = 20_000

const shape = inputShape(
  z.object({
    path: z.string(),
    offset: z.number().int().min(0).optional().describe('Lines to skip'),
    limit: z.number().int().min(0).optional().describe('Lines to read; default all'),
  }),
)

export type ReadInput = ReturnType<typeof shape.parse>

/** What a file is to a reader. */
type FileContents = ({ kind: 'text' } & Lines) | { kind: 'image'; mimeType: string; data: string; size: number }

/** Text by lines, or an image as a whole; anything else is a failure that names what it is. */
export async function readContents(
  path: string,
  range: { offset: number; limit: number; maxBytes: number },
): Promise<FileContents> {
  return withFile(path, async (file, size) => {
    const lines = await readLines(file, range)
    if (lines) return { kind: 'text', ...lines }
    const wide = await readUtf16(file, size, range)
    if (wide) return { kind: 'text', ...wide }
    return readImage(file, path, size)
  })
}

async function readImage(file: FileHandle, path: string, size: number): Promise<FileContents> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(await readStart(file, Math.min(size, 64 * 1024)))
  const mimeType = found?.mime ?? 'application/octet-stream'
  const name = `${basename(path)} (${mimeType}, ${size} bytes)`
  if (!mimeType.startsWith('image/')) {
    throw new ToolFailure('ExecutionFailed', `Binary file: ${name} — not a text or image file`)
  }
  if (size > maxImageBytes) {
    throw new ToolFailure('ExecutionFailed', `Image file: ${name} — larger than the limit of 10 MB`)
  }
  return { kind: 'image', mimeType, data: (await readStart(file, size)).toString('base64'), size }
}

async function readUtf16(
  file: FileHandle,
  size: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<Lines | null> {
  const start = await readStart(file, Math.min(size, 4096))
  if (size > maxUtf16Bytes || !/^(fffe|feff)/.test(start.toString('hex', 0, 2))) return null
  const decoded = decodeText(await readStart(file, size))
  if (!decoded) return null
  const lines = decoded.text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return { lines: lines.slice(offset, offset + limit), cut: false, seen: lines.length }
}

/** So many bytes from the beginning, or all there are. */
export async function readStart(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await file.read(bytes, read, length - read, read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}

/** Files with line numbers, and images. */
export function createReadTool(memory: FileMemory, node: string): Tool<ReadInput> {
  return {
    description:
      'Read a text file as numbered lines, or an image. A long file comes in parts: continue at `nextOffset`.',
    schema: shape.schema,
    parse: shape.parse,
    readOnly: true,
    access: (input, { workspace }) => accessToOne('read', input.path, node, workspace),
    gist: (input) => input.path + rangeOf(input),
    async run(input, context) {
      const path = resolvePath(input.path, context.workspace)
      const result = await readResult(path, path, input, context)
      await memory.remember(context.sessionId, path)
      return result
    },
  }
}

/** What the lines of an answer may weigh. */
export const maxLineBytes = ({ resultBytes }: ToolContext): number => resultBytes - frameBytes

/** What is at `path`, of which `file` is the file itself or a copy. */
export async function readResult(
  path: string,
  file: string,
  { offset = 0, limit = Number.POSITIVE_INFINITY }: ReadInput,
  context: ToolContext,
): Promise<ToolResult> {
  const contents = await readContents(file, { offset, limit, maxBytes: maxLineBytes(context) })
  return contents.kind === 'text' ? textResult(path, offset, contents, context) : imageResult(path, contents)
}

/** `lines` begin behind the first `offset` of the file. */
export function textResult(
  path: string,
  offset: number,
  { lines, cut, seen }: Lines,
  context: ToolContext,
): ToolResult {
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

import type { FileDiff } from '../../src-preload/contract/file-diff'
import type { ConnectedBackend } from '../backends/backends'
import { type ApplyPatchInput, patchResult } from './apply-patch'
import { type DeleteInput, pathToDelete } from './delete'
import { asText, type EditInput, editResult, planEdit } from './edit'
import { fileDiff } from './file-diff'
import { type GlobInput, globResult, splitPattern } from './glob'
import { type GrepInput, grepResult, maxMatches } from './grep'
import { jsonContent } from './json-result'
import { type ListInput, listResult } from './list'
import { carryOut, type PatchFiles, planPatch } from './patch-plan'
import { displayPath, resolvePath } from './paths'
import { filesAt, withCopy } from './place-files'
import { maxLineBytes, type ReadInput, readResult, textResult } from './read'
import { type Lines, mostRead, readerOf, readLines } from './read-lines'
import { decodeText, encodeText } from './text-encoding'
import { type ToolContext, ToolFailure, type ToolResult } from './tool'
import type { WriteInput } from './write'

/** How a tool for files runs at a place, and what it would change there. */
interface PlacedFileTool<Input = unknown> {
  run(input: Input, context: ToolContext, place: ConnectedBackend): Promise<ToolResult>
  preview?(input: Input, context: ToolContext, place: ConnectedBackend): Promise<FileDiff[]>
}

const read: PlacedFileTool<ReadInput> = {
  async run(input, context, place) {
    const path = resolvePath(input.path, context.workspace)
    const lines = await linesAt(place, path, input, context)
    if (lines) return textResult(path, input.offset ?? 0, lines, context)
    // An image, or text of another kind: what that is only all of it can tell.
    const data = await filesAt(place).read(path, context.signal)
    return withCopy(path, data, (copy) => readResult(path, copy, input, context))
  },
}

/** The lines that are asked for and no others; `null` where they are none of UTF-8. */
async function linesAt(
  place: ConnectedBackend,
  path: string,
  { offset = 0, limit = Number.POSITIVE_INFINITY }: ReadInput,
  context: ToolContext,
): Promise<Lines | null> {
  const files = filesAt(place)
  const maxBytes = maxLineBytes(context)
  const mostBytes = mostRead(maxBytes)
  const found = await files.lines(path, { offset, limit, mostBytes }, context.signal)
  if (found.length === 0 && offset > 0)
    return { lines: [], cut: false, seen: await files.countLines(path, context.signal) }
  const isAll = found.length < mostBytes
  const lines = await readLines(readerOf(isAll ? found : withoutLastCharacter(found)), { offset: 0, limit, maxBytes })
  return lines && { ...lines, cut: lines.cut || !isAll }
}

/** Of which there may be only a part. */
function withoutLastCharacter(bytes: Buffer): Buffer {
  let end = bytes.length - 1
  while (end > 0 && (bytes.readUInt8(end) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}

const write: PlacedFileTool<WriteInput> = {
  async preview(input, context, place) {
    const path = resolvePath(input.path, context.workspace)
    const before = await textOrNull(place, path, context)
    return [fileDiff(displayPath(path, context.workspace), before, input.content)]
  },
  async run(input, context, place) {
    const path = resolvePath(input.path, context.workspace)
    const before = await textOrNull(place, path, context)
    const data = Buffer.from(input.content)
    await filesAt(place).write(path, data)
    return {
      content: jsonContent({ path, bytes: data.length }),
      display: { type: 'diff', files: [fileDiff(displayPath(path, context.workspace), before, input.content)] },
    }
  },
}

const planAt = async (input: EditInput, { workspace, signal }: ToolContext, place: ConnectedBackend) => {
  const path = resolvePath(input.path, workspace)
  return planEdit(path, asText(path, await filesAt(place).read(path, signal)), input, workspace)
}

const edit: PlacedFileTool<EditInput> = {
  preview: async (input, context, place) => [(await planAt(input, context, place)).diff],
  async run(input, context, place) {
    const plan = await planAt(input, context, place)
    await filesAt(place).write(plan.path, encodeText(plan.after.text, plan.before.encoding))
    return editResult(plan)
  },
}

const patchFilesAt = (place: ConnectedBackend, signal: AbortSignal): PatchFiles => ({
  read: (path) => orNull(filesAt(place).read(path, signal)),
  write: (path, data) => filesAt(place).write(path, data),
  remove: async (path) => void (await orNull(filesAt(place).remove(path, false, signal))),
})

const patch: PlacedFileTool<ApplyPatchInput> = {
  preview: async ({ files }, { workspace, signal }, place) =>
    (await planPatch(files, workspace, patchFilesAt(place, signal))).diffs,
  async run({ files }, { workspace, signal }, place) {
    const at = patchFilesAt(place, signal)
    const plan = await planPatch(files, workspace, at)
    await carryOut(plan, at)
    return patchResult(plan)
  },
}

const remove: PlacedFileTool<DeleteInput> = {
  async preview(input, context, place) {
    const path = resolvePath(input.path, context.workspace)
    const text = await textOrNull(place, path, context)
    if (text === null) throw new ToolFailure('FileNotFound', `No such file or directory: ${path}`)
    return [fileDiff(displayPath(path, context.workspace), text, null)]
  },
  async run(input, { workspace, signal }, place) {
    const path = pathToDelete(input, workspace)
    await filesAt(place).remove(path, input.recursive ?? false, signal)
    return { content: jsonContent({ path, deleted: true }) }
  },
}

const list: PlacedFileTool<ListInput> = {
  async run(input, context, place) {
    const path = resolvePath(input.path ?? '.', context.workspace)
    return listResult(path, await filesAt(place).list(path, context.signal), context)
  },
}

const glob: PlacedFileTool<GlobInput> = {
  async run({ pattern, path }, context, place) {
    const { base, rest } = splitPattern(pattern, path, context.workspace)
    return globResult(pattern, base, await filesAt(place).find(rest, base, context.signal), context)
  },
}

const grep: PlacedFileTool<GrepInput> = {
  async run({ pattern, path = '.', include }, { workspace, signal }, place) {
    const base = resolvePath(path, workspace)
    const wanted = { pattern, base, limit: maxMatches, ...(include !== undefined && { include }) }
    const found = await filesAt(place).search(wanted, signal)
    return grepResult(pattern, base, { ...found, timedOut: false }, workspace)
  },
}

export const placedFileTools: ReadonlyMap<string, PlacedFileTool> = new Map<string, PlacedFileTool>([
  ['Read', read as PlacedFileTool],
  ['Write', write as PlacedFileTool],
  ['Edit', edit as PlacedFileTool],
  ['ApplyPatch', patch as PlacedFileTool],
  ['Glob', glob as PlacedFileTool],
  ['Grep', grep as PlacedFileTool],
  ['List', list as PlacedFileTool],
  ['Delete', remove as PlacedFileTool],
])

/** What is there now, for the diff: nothing, its text, or the empty text for what cannot be shown. */
async function textOrNull(place: ConnectedBackend, path: string, { signal }: ToolContext): Promise<string | null> {
  try {
    return decodeText(await filesAt(place).read(path, signal))?.text ?? ''
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
    return error.kind === 'FileNotFound' ? null : ''
  }
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ToolFailure && error.kind === 'FileNotFound') return null
    throw error
  }
}

import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type FileSink, type FileSource, FileTrouble, pieceBytes, type SinkProgress } from './node-files'
import { digestPrefix, leavePartial, openPartial, type PartialFile, type Prefix, worthKeeping } from './partial-file'

/** How much of a file is read to detect its type. */
export const sniffBytes = 8192
const piecesAtOnce = 8

export async function openFileSource(path: string): Promise<FileSource> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw trouble(error, path, 'read')
  })
  if (found.isDirectory()) throw new FileTrouble(`${path} is a folder; only files can be transferred`)
  if (!found.isFile()) throw new FileTrouble(`${path} is not a plain file`)
  // Does not wait for a writer if it has become a FIFO meanwhile.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw trouble(error, path, 'read')
  })
  try {
    const { size } = await file.stat()
    const start = await file.read(Buffer.alloc(Math.min(size, sniffBytes)), 0, null, 0)
    const mime = await mimeOf(start.buffer.subarray(0, start.bytesRead))
    return sourceOf(file, path, size, mime)
  } catch (error) {
    await file.close()
    throw error
  }
}

function sourceOf(file: FileHandle, path: string, size: number, mime: string | undefined): FileSource {
  let offset = 0
  const ready: Buffer[] = []

  /** Reads several pieces at once, since each disk access has a fixed cost. */
  const fill = async (headroom: number, spare: Buffer[]): Promise<void> => {
    const frames: Buffer[] = []
    for (let at = offset; at < size && frames.length < piecesAtOnce; at += pieceBytes) {
      const length = headroom + Math.min(pieceBytes, size - at)
      const memory = spare.pop()
      frames.push(memory && memory.length >= length ? memory.subarray(0, length) : Buffer.allocUnsafe(length))
    }
    let views = frames.map((frame) => frame.subarray(headroom))
    while (views.length > 0) {
      const { bytesRead } = await file.readv(views, offset)
      if (bytesRead === 0) throw new FileTrouble(`${path} became shorter while it was read`)
      offset += bytesRead
      views = withoutStart(views, bytesRead)
    }
    ready.push(...frames)
  }

  return {
    size,
    mime,
    beginsWith: async ({ bytes, sha256 }) => bytes <= size && (await digestPrefix(file, bytes)) === sha256,
    startAt(start) {
      offset = start
    },
    async next(headroom, spare = []) {
      if (ready.length === 0 && offset < size) await fill(headroom, spare)
      return ready.shift() ?? null
    },
    close: () => file.close(),
  }
}

/** The type of a file, by its first bytes. */
export async function mimeOf(bytes: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  const known = await fileTypeFromBuffer(bytes)
  if (known) return known.mime
  return bytes.length > 0 && isText(bytes) ? 'text/plain' : undefined
}

function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** With `resume` it continues what an earlier attempt has left, if the source still begins the same. */
export async function openFileSink(
  path: string,
  size: number,
  progress: SinkProgress,
  resume = false,
): Promise<FileSink> {
  const place = await realpath(path).catch(() => path)
  const there = await stat(place).catch(() => null)
  if (there?.isDirectory()) throw new FileTrouble(`${path} is a folder`)
  if (there && !there.isFile()) throw new FileTrouble(`${path} is not a plain file`)
  try {
    await mkdir(dirname(place), { recursive: true })
    const partial = await openPartial(place, size, there ? there.mode & 0o777 : 0o644, resume)
    const { file, bytes } = partial
    const kept = bytes > 0 ? { bytes, sha256: await digestPrefix(file, bytes) } : null
    return sinkOf(partial, kept, place, size, progress)
  } catch (error) {
    throw trouble(error, path, 'write')
  }
}

function sinkOf(
  partial: PartialFile,
  kept: Prefix | null,
  place: string,
  size: number,
  progress: SinkProgress,
): FileSink {
  const { file, path: unfinished } = partial
  let written = 0
  let waiting: { chunk: Buffer; done: (() => void) | undefined }[] = []
  let writing: Promise<void> | null = null
  let closed = false
  let failure: FileTrouble | null = null

  /** Writes everything that has arrived meanwhile at once. */
  const writeWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, piecesAtOnce)
      let left = batch.map(({ chunk }) => chunk)
      while (left.length > 0) {
        const { bytesWritten } = await file.writev(left, written)
        written += bytesWritten
        left = withoutStart(left, bytesWritten)
      }
      for (const { done } of batch) done?.()
      progress.written(written)
    }
  }
  const write = (chunk: Buffer, done?: () => void): void => {
    if (failure) return
    waiting.push({ chunk, done })
    writing ??= writeWaiting()
      .catch((error: unknown) => {
        waiting = []
        failure = trouble(error, place, 'write')
        progress.failed(failure)
      })
      .finally(() => {
        writing = null
      })
  }
  const drop = async (): Promise<void> => {
    if (closed) return
    closed = true
    await file.close()
    await rm(unfinished, { force: true })
  }

  return {
    kept,
    startAt(offset) {
      written = offset
    },
    write,
    async finish() {
      try {
        await writing
        if (failure) throw failure
        if (written !== size) throw new FileTrouble(`${written} bytes arrived instead of ${size}`)
        closed = true
        await file.close()
        await rename(unfinished, place)
        return written
      } catch (error) {
        if (closed) await rm(unfinished, { force: true })
        else await drop()
        throw trouble(error, place, 'write')
      }
    },
    async abort(keep = false) {
      waiting = []
      await writing
      if (closed || failure || !keep || written < worthKeeping) return drop()
      closed = true
      await leavePartial(partial, place, size, written)
    },
  }
}

function withoutStart(buffers: Buffer[], bytes: number): Buffer[] {
  let left = bytes
  for (const [index, buffer] of buffers.entries()) {
    if (left < buffer.length) return [buffer.subarray(left), ...buffers.slice(index + 1)]
    left -= buffer.length
  }
  return []
}

const words = new Map([
  ['ENOENT', 'does not exist'],
  ['EACCES', 'may not be touched: permission denied'],
  ['EPERM', 'may not be touched: permission denied'],
  ['ENOSPC', 'does not fit: the disk is full'],
  ['EDQUOT', 'does not fit: the quota is used up'],
  ['EROFS', 'lies on a read-only file system'],
  ['ENOTDIR', 'leads through something that is not a folder'],
  ['EEXIST', 'leads through something that is not a folder'],
  ['ENAMETOOLONG', 'is too long a name'],
])

function trouble(error: unknown, path: string, what: 'read' | 'write'): FileTrouble {
  if (error instanceof FileTrouble) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = words.get(code)
  if (known) return new FileTrouble(`${path} ${known}`)
  return new FileTrouble(
    `${path} cannot be ${what === 'read' ? 'read' : 'written'}: ${error instanceof Error ? error.message : String(error)}`,
  )
}

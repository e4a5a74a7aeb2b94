import type { Prefix } from './partial-file'
import type { LineRange, Lines } from './read-lines'

/** Size of the pieces in which a file is sent; the last one may be smaller. */
export const pieceBytes = 64 * 1024

/** The files of one machine. All file tools work through this interface, on every kind of machine. */
export interface NodeFiles {
  /** `null` if nothing is there. Follows links unless told not to. */
  stat(path: string, options?: { follow?: boolean; signal?: AbortSignal }): Promise<FileStat | null>
  /** Its first bytes, or all of them: files above 64 MB are refused. */
  read(path: string, options?: { mostBytes?: number } & ReachOptions): Promise<Buffer>
  /** Reads no further than needed; `null` if it is not UTF-8 text. */
  lines(path: string, range: LineRange, options?: ReachOptions): Promise<Lines | null>
  /** Creates missing folders; a link is kept, and an existing file keeps its mode. */
  write(path: string, data: Buffer, options?: { checked?: readonly string[] | undefined }): Promise<void>
  /** Removes a link itself, not its target. */
  remove(path: string, options?: { recursive?: boolean } & ReachOptions): Promise<void>
  /** The entries of a folder; links are not followed. */
  list(path: string, options?: ReachOptions): Promise<ListedEntry[]>
  /** Files below `base` that match a glob pattern, newest first, as absolute paths. */
  find(pattern: string, base: string, options: ReachOptions & { signal: AbortSignal }): Promise<string[]>
  /** Lines that match a regular expression. */
  search(request: SearchRequest, options: ReachOptions & { signal: AbortSignal }): Promise<SearchResult>
  /** For a file to be sent elsewhere. */
  source(path: string): Promise<FileSource>
  /** For a file to be received; with `resume` it continues what an earlier attempt has left. */
  sink(path: string, size: number, progress: SinkProgress, resume: boolean): Promise<FileSink>
}

export interface ReachOptions {
  signal?: AbortSignal
  /** The real paths that the gate approved: if a path leads anywhere else, nothing is read, changed or removed. */
  checked?: readonly string[] | undefined
}

interface FileStat {
  type: 'file' | 'directory' | 'link' | 'other'
  size: number
}

export interface ListedEntry {
  name: string
  type: 'file' | 'directory' | 'link' | 'other'
  size?: number
}

export interface SearchRequest {
  pattern: string
  /** A glob for file names, such as `*.ts`. */
  include?: string
  base: string
  limit: number
  /** Links below `base` are followed into these folders as well, and nowhere else. */
  follow?: readonly string[] | 'anywhere'
  /** Whether a file below `base`, as a path from there, is left out. */
  leaveOut?(path: string): boolean
}

export interface SearchMatch {
  path: string
  line: number
  content: string
}

export interface SearchResult {
  matches: SearchMatch[]
  /** There are more. */
  truncated: boolean
  timedOut: boolean
}

/** A file that is read from its start, or from where an earlier attempt stopped, to its end. */
export interface FileSource {
  readonly size: number
  readonly mime: string | undefined
  /** Whether the file begins with this prefix. */
  beginsWith(prefix: Prefix): Promise<boolean>
  /** Call this before the first piece is read. */
  startAt(offset: number): void
  /**
   * The next piece, with `headroom` free bytes before it; `null` at the end. Throws if the file has changed. Reuses
   * buffers from `spare` while there are any: allocating memory for every piece costs more than reading it.
   */
  next(headroom: number, spare?: Buffer[]): Promise<Buffer | null>
  close(): Promise<void>
}

/** A file that is written beside its place and moved there when complete. */
export interface FileSink {
  /** What an earlier attempt has left. */
  readonly kept: Prefix | null
  /** Keeps this much of it; call it before the first piece. */
  startAt(offset: number): void
  /**
   * Pieces are written in the order of the calls; `progress` reports the state, `done` that the buffer can be reused.
   */
  write(chunk: Buffer, done?: () => void): void
  /** Moves the file to its place; throws if its length is not the announced one. */
  finish(): Promise<number>
  /** Undoes everything; with `keep`, what has arrived is kept for the next attempt. */
  abort(keep?: boolean): Promise<void>
}

export interface SinkProgress {
  /** Called with the number of bytes that are in the file. */
  written(bytes: number): void
  failed(error: Error): void
}

/** Why a file cannot be sent or received, as a message for the caller. */
export class FileTrouble extends Error {
  override name = 'FileTrouble'
}

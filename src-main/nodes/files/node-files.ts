import type { Prefix } from './partial-file'
import type { LineRange, Lines } from './read-lines'

/** Of a file that is sent; the last piece may be smaller. */
export const pieceBytes = 64 * 1024

/** The files of one machine. Every tool for files works through this, whichever machine it is. */
export interface NodeFiles {
  /** `null` where nothing is there. Follows links unless told not to. */
  stat(path: string, options?: { follow?: boolean; signal?: AbortSignal }): Promise<FileStat | null>
  /** Its first bytes, or all of them: what is larger than 64 MB is refused. */
  read(path: string, options?: { mostBytes?: number; signal?: AbortSignal }): Promise<Buffer>
  /** Reads no further than needed; `null` where it is not UTF-8 text. */
  lines(path: string, range: LineRange, signal?: AbortSignal): Promise<Lines | null>
  /**
   * Makes missing folders; a link stays one, and what was there keeps its mode. `checked` are the real paths that the gate
   * has looked at: nothing else is written.
   */
  write(path: string, data: Buffer, options?: { checked?: readonly string[] | undefined }): Promise<void>
  /** A link goes, not what it points to. */
  remove(path: string, options?: { recursive?: boolean; signal?: AbortSignal }): Promise<void>
  /** What a folder holds, links as such. */
  list(path: string, signal?: AbortSignal): Promise<ListedEntry[]>
  /** Files below `base` that match a glob pattern, newest first, as absolute paths. */
  find(pattern: string, base: string, signal: AbortSignal): Promise<string[]>
  /** Lines that match a regular expression. */
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchResult>
  /** To be sent elsewhere. */
  source(path: string): Promise<FileSource>
  /** To be received from elsewhere; with `resume` it goes on with what an earlier attempt has left. */
  sink(path: string, size: number, progress: SinkProgress, resume: boolean): Promise<FileSink>
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
  /** File names, such as `*.ts`. */
  include?: string
  base: string
  limit: number
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
  /** Whether the file begins like this. */
  beginsWith(prefix: Prefix): Promise<boolean>
  /** Before the first piece is asked for. */
  startAt(offset: number): void
  /**
   * The next piece, with room for `headroom` bytes before it; `null` at the end. Throws when the file has changed. Takes
   * its memory from `spare` while that lasts: fresh memory for every piece costs more than reading it.
   */
  next(headroom: number, spare?: Buffer[]): Promise<Buffer | null>
  close(): Promise<void>
}

/** A file that is written beside its place and takes it when it is whole. */
export interface FileSink {
  /** What an earlier attempt has left. */
  readonly kept: Prefix | null
  /** Keeps so much of it; before the first piece. */
  startAt(offset: number): void
  /** Pieces are written in the order of the calls; `progress` tells how it goes, `done` that the memory is free. */
  write(chunk: Buffer, done?: () => void): void
  /** Puts the file into its place; throws when its length is not the one that was announced. */
  finish(): Promise<number>
  /** Leaves everything as it was; with `keep`, what has come is there for the next attempt. */
  abort(keep?: boolean): Promise<void>
}

export interface SinkProgress {
  /** So many bytes are in the file. */
  written(bytes: number): void
  failed(error: Error): void
}

/** Why a file cannot be sent or received, in words for whoever asked for it. */
export class FileTrouble extends Error {
  override name = 'FileTrouble'
}

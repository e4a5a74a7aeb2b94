import type { ReceiptFile } from '../../src-preload/contract/receipts'
import { isSameImage, type Look, type SeenChange, type Watch } from './watch'

/** The time during which a call may change files. */
export interface Interval {
  /** The paths it can change; `null` for anything. */
  paths: readonly string[] | null
  /** Its process continues while other calls run. */
  background: boolean
  /** Covers changes outside all calls: it only gets what no call can have made. */
  rest?: true
  files: Map<string, ReceiptFile>
  notes: Set<string>
}

/**
 * Who changed what in one workspace: differences between two looks are attributed to the calls that ran between them.
 */
export interface WorkspaceRecord {
  /** Looks in advance, as far as it gets before a call wants to run. */
  prepare(): Promise<void>
  /** Ends a preparation, because a call is waiting. */
  hurry(): void
  /** Looks before a call may change anything. */
  open(interval: Interval): Promise<void>
  /** Looks at what has changed so far. */
  look(): Promise<void>
  /** Looks for the last time. */
  close(interval: Interval): Promise<void>
  /** Runs Deckhand's own work on these paths, which is not attributed to any call. */
  aside<Result>(paths: readonly string[], work: () => Promise<Result>): Promise<Result>
}

/**
 * For looks after a call, which have no time limit: the resulting files must be stored too, or a redo could not restore
 * them.
 */
const unhurried = new AbortController().signal

export function createRecord(watch: Watch): WorkspaceRecord {
  const intervals = new Set<Interval>()
  let last: Promise<unknown> = Promise.resolve()
  let preparing: AbortController | null = null

  /** One look at a time: two at once would each see only a part of the changes. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  const lookFor = async (paths: readonly string[] | null, notesTo?: Interval, patient?: AbortSignal): Promise<void> => {
    const { changes, notes }: Look = await watch.look(paths ?? undefined, patient)
    for (const note of notes) notesTo?.notes.add(note)
    for (const change of changes) attribute(change, intervals)
  }

  const hurry = (): void => preparing?.abort()

  return {
    hurry,
    prepare: () => {
      const controller = new AbortController()
      preparing = controller
      return inTurn(async () => {
        try {
          await watch.look(undefined, controller.signal)
        } catch (error) {
          if (!controller.signal.aborted) throw error
        }
      })
    },
    open: (interval) => {
      hurry()
      return inTurn(async () => {
        await lookFor(interval.paths, interval)
        intervals.add(interval)
      })
    },
    look: () => inTurn(() => lookFor(null, undefined, unhurried)),
    close: (interval) =>
      inTurn(async () => {
        try {
          await lookFor(interval.paths, interval, unhurried)
        } finally {
          intervals.delete(interval)
        }
      }),
    aside: (all, work) =>
      inTurn(async () => {
        // Paths outside the workspace are not watched.
        const paths = all.filter((path) => !path.startsWith('/'))
        await lookFor(paths)
        try {
          return await work()
        } finally {
          await watch.look(paths)
        }
      }),
  }
}

/**
 * A change belongs to the foreground calls. If there are none, it belongs to the background processes, though it may
 * also be the user's own. If there are none either, it belongs to the interval for changes outside calls.
 */
function attribute(change: SeenChange, intervals: ReadonlySet<Interval>): void {
  const able = [...intervals].filter(({ paths }) => !paths || paths.some((path) => concerns(change.path, path)))
  const calls = able.filter(({ rest }) => !rest)
  const waitedFor = calls.filter(({ background }) => !background)
  const doers = waitedFor.length > 0 ? waitedFor : calls.length > 0 ? calls : able
  const shared = doers.length > 1 || (waitedFor.length === 0 && calls.length > 0)
  for (const { files } of doers) addChange(files, change, shared)
}

/** A parent folder of the path, the path itself, or something below it. */
const concerns = (changed: string, path: string): boolean =>
  changed === path || changed.startsWith(`${path}/`) || path.startsWith(`${changed}/`)

function addChange(files: Map<string, ReceiptFile>, { path, before, after }: SeenChange, shared: boolean): void {
  const known = files.get(path)
  const first = known ? known.before : before
  if (isSameImage(first, after) && first?.unkept === undefined) files.delete(path)
  else files.set(path, { path, before: first, after, ...((shared || known?.shared) && { shared: true }) })
}

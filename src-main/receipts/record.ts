import type { ReceiptFile } from '../../src-preload/contract/receipts'
import { isSameImage, type Look, type SeenChange, type Watch } from './watch'

/** The time during which a call may change files. */
export interface Interval {
  /** The paths it can change; `null` for anything. */
  paths: readonly string[] | null
  /** Its process continues while other calls run. */
  background: boolean
  /** It is what happens beside all calls: a change is its own only where no call can have made it. */
  rest?: true
  files: Map<string, ReceiptFile>
  notes: Set<string>
}

/** Who changed what in one workspace: the calls that ran between two looks made the differences between them. */
export interface WorkspaceRecord {
  /** Looks in advance, as far as it gets before a call wants to run. */
  prepare(): Promise<void>
  /** A call is waiting: ends a preparation. */
  hurry(): void
  /** Looks before a call may change anything. */
  open(interval: Interval): Promise<void>
  /** Looks at what has changed so far. */
  look(): Promise<void>
  /** Looks for the last time. */
  close(interval: Interval): Promise<void>
  /** Deckhand's own work on these paths, which does not count for any call. */
  aside<Result>(paths: readonly string[], work: () => Promise<Result>): Promise<Result>
}

/** After a call: its resulting files must be kept as well, or they could not be restored. */
const unhurried = new AbortController().signal

export function createRecord(watch: Watch): WorkspaceRecord {
  const intervals = new Set<Interval>()
  let last: Promise<unknown> = Promise.resolve()
  let preparing: AbortController | null = null

  /** One at a time: two looks at once would each see only a part of the changes. */
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
        // What lies elsewhere is not watched.
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
 * A change belongs to the foreground calls. If there is none, it belongs to the background processes; but then it may
 * also be the user's own. Where there is none either, it belongs to what happens beside the calls.
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

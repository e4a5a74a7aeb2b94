import type { ReceiptFile } from '../../src-preload/contract/receipts'
import { isSameImage, type Look, type SeenChange, type Watch } from './watch'

/** The time during which a call may change files. */
export interface Interval {
  /** What it can change; `null` for anything. */
  paths: readonly string[] | null
  /** Its process goes on while other calls run. */
  background: boolean
  files: Map<string, ReceiptFile>
  notes: Set<string>
}

/** Who changed what in one workspace: what differs between two looks was done by the calls that ran in between. */
export interface WorkspaceRecord {
  /** Looks while there is time: as far as it gets before a call wants to run. */
  prepare(): Promise<void>
  /** Somebody waits: ends what is only a preparation. */
  hurry(): void
  /** Looks before a call may change anything. */
  open(interval: Interval): Promise<void>
  /** Looks at what has changed so far. */
  look(): Promise<void>
  /** Looks for the last time. */
  close(interval: Interval): Promise<void>
  /** Work of Deckhand's own on these paths, which is no call's doing. */
  aside<Result>(paths: readonly string[], work: () => Promise<Result>): Promise<Result>
}

/** After a call: what it made of files must be kept as well, or it could not be undone. */
const unhurried = new AbortController().signal

export function createRecord(watch: Watch): WorkspaceRecord {
  const intervals = new Set<Interval>()
  let last: Promise<unknown> = Promise.resolve()
  let preparing: AbortController | null = null

  /** One at a time: two looks at once would each tell half of the story. */
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
    aside: (paths, work) =>
      inTurn(async () => {
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
 * A change belongs to the calls that were waited for. Only where there is none, to what runs in the background; but then
 * it may as well be the user's own.
 */
function attribute(change: SeenChange, intervals: ReadonlySet<Interval>): void {
  const able = [...intervals].filter(({ paths }) => !paths || paths.some((path) => concerns(change.path, path)))
  const waitedFor = able.filter(({ background }) => !background)
  const doers = waitedFor.length > 0 ? waitedFor : able
  const shared = doers.length > 1 || waitedFor.length === 0
  for (const { files } of doers) addChange(files, change, shared)
}

/** A folder on the way to the path, the path itself, or something below it. */
const concerns = (changed: string, path: string): boolean =>
  changed === path || changed.startsWith(`${path}/`) || path.startsWith(`${changed}/`)

function addChange(files: Map<string, ReceiptFile>, { path, before, after }: SeenChange, shared: boolean): void {
  const known = files.get(path)
  const first = known ? known.before : before
  if (isSameImage(first, after) && first?.unkept === undefined) files.delete(path)
  else files.set(path, { path, before: first, after, ...((shared || known?.shared) && { shared: true }) })
}

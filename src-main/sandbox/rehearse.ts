import type { FileDiff } from '../../src-preload/contract/protocol'
import type { Rehearsal } from '../../src-preload/contract/sandbox'
import { protectedReason } from '../approval/protected-paths'
import type { Change } from '../changes/diff'
import type { ProcessTable } from '../nodes/process-table'
import { imageDiff } from '../receipts/image-diff'
import { applyChanges, isAsBefore } from './apply'
import { type Bubblewrap, bubblewrapArgv } from './bubblewrap'
import type { Argv } from './cage'
import { isUntouched, openCopy } from './copy-view'
import { openOverlay } from './overlay-view'
import type { Sandbox } from './sandbox'
import { imageAt, TooLarge, type View, type ViewLimits } from './view'

export const limits = {
  ms: 5 * 60_000,
  /** What a trial may write. */
  bytes: 1024 * 1024 * 1024,
  changes: 20_000,
  /** A copy is made only where the kernel has no better way. */
  copyBytes: 300 * 1024 * 1024,
  /** Of files whose differences the card shows. */
  shown: 100,
  patchChars: 400_000,
} as const

const weighEveryMs = 1_000
const tailChars = 4_000
/** Files are stamped by a clock that ticks up to this much late. */
const clockLagMs = 12

export interface TrialRequest {
  sessionId: string
  callId: string
  workspace: string
  command: string
  cwd: string
}

export type TrialEnd = Omit<Extract<Rehearsal, { status: 'done' }>, 'status' | 'limits'>

/** A command that runs, or has run, in a view of the workspace. */
export interface Trial {
  processId: string
  /** Rejects with words for the user when it was stopped or went too far. */
  end: Promise<TrialEnd>
  stop(): void
  /** Puts what it changed into the workspace. Rejects, before anything is touched, when that has changed since. */
  apply(): Promise<void>
  close(): Promise<void>
}

export interface Rehearse {
  isPossible(): Promise<boolean>
  begin(request: TrialRequest): Promise<Trial>
}

export function createRehearse(options: {
  sandbox: Sandbox
  table: ProcessTable
  shell: string
  path?: string
  clock?: () => number
}): Rehearse {
  const { sandbox, table } = options
  const path = options.path ?? process.env.PATH ?? ''
  const clock = options.clock ?? Date.now
  return {
    isPossible: async () => (await sandbox.bubblewrap()) !== null,
    begin: async (request) => {
      const bubblewrap = await sandbox.bubblewrap()
      if (!bubblewrap) throw new Error('There is no sandbox on this machine to try it in.')
      const cage = await sandbox.cageFor({ id: request.sessionId, workspace: request.workspace })
      const view = await openView(cage.workspace, path)
      try {
        const startedAt = clock()
        const inside: Bubblewrap = { ...bubblewrap, extra: [...bubblewrap.extra, ...view.identity] }
        const shell: Argv = [options.shell, '-lc', request.command]
        // What is frozen or pinned may change here: whoever takes it over is shown it before.
        const trial = { ...cage, view: view.folder, frozen: [], closed: [], pinned: [] }
        const { id } = await table.start({
          sessionId: request.sessionId,
          callId: request.callId,
          command: request.command,
          title: `Trial: ${request.command}`,
          argv: view.enter(bubblewrapArgv(inside, trial, shell, request.cwd)),
          cwd: cage.workspace,
          background: false,
          byUser: false,
        })
        return trialOf(table, id, view, cage.workspace, startedAt)
      } catch (error) {
        await view.close()
        throw error
      }
    },
  }
}

async function openView(workspace: string, path: string): Promise<View> {
  const bounds: ViewLimits = { maxEntries: limits.changes, maxBytes: limits.copyBytes }
  return (await openOverlay(workspace, path, bounds)) ?? openCopy(workspace, bounds)
}

function trialOf(table: ProcessTable, processId: string, view: View, workspace: string, startedAt: number): Trial {
  let problem: string | null = null
  const stop = (why: string): void => {
    problem ??= why
    if (table.get(processId)?.status === 'running') table.kill(processId)
  }
  const late = setTimeout(() => stop(`It was still running after ${limits.ms / 60_000} minutes.`), limits.ms)
  const weigh = setInterval(() => {
    view.size().then(
      (bytes) => {
        if (bytes > limits.bytes) stop(`It wrote more than ${limits.bytes / 2 ** 30} GB.`)
      },
      // A folder went away while it was weighed; the next look tells.
      () => {},
    )
  }, weighEveryMs)

  const ended = async (): Promise<{ end: TrialEnd; changes: Change[] }> => {
    try {
      await table.wait(processId)
    } finally {
      clearTimeout(late)
      clearInterval(weigh)
    }
    if (problem !== null) throw new Error(problem)
    const row = table.get(processId)
    const changes = await realChanges(view, workspace)
    const shown = await diffsOf(changes, view, workspace)
    const obstacle = obstacleTo(changes, workspace, startedAt)
    const touched = changes
      .map(({ path }) => path)
      .find((path) => protectedReason(`here/${path}`) !== null && !isData(path))
    return {
      changes,
      end: {
        processId,
        exitCode: row?.exitCode ?? null,
        tail: await table.tail(processId, tailChars),
        durationMs: (row?.endedAt ?? startedAt) - startedAt,
        ...shown,
        ...(obstacle !== null && { obstacle }),
        ...(touched !== undefined && { typedWord: 'config' }),
      },
    }
  }
  const outcome = ended()
  // Whoever waits for it is told; nobody need wait.
  outcome.catch(() => {})
  return {
    processId,
    end: outcome.then(({ end }) => end),
    stop: () => stop('It was stopped.'),
    apply: async () => applyChanges((await outcome).changes, view, workspace),
    close: async () => {
      stop('It was stopped.')
      await outcome.catch(() => {})
      await view.close()
    },
  }
}

async function realChanges(view: View, workspace: string): Promise<Change[]> {
  try {
    const changes: Change[] = []
    for (const change of await view.changes())
      if (!change.before || !change.after || !(await isUntouched(workspace, view, change.path))) changes.push(change)
    return changes
  } catch (error) {
    if (error instanceof TooLarge) throw new Error(`${error.message}, so it cannot be shown.`)
    throw error
  }
}

/** Somebody else was at work there meanwhile: what the trial saw is no more. */
function obstacleTo(changes: readonly Change[], workspace: string, startedAt: number): string | null {
  const odd = changes.find(({ after }) => after?.kind === 'other')
  if (odd) return `It made ${odd.path}, which is neither a file nor a folder.`
  const meanwhile = changes.find(
    (change) =>
      !isAsBefore(change, workspace) ||
      (change.before && change.before.kind !== 'folder' && change.before.ctimeMs >= startedAt - clockLagMs),
  )
  return meanwhile ? `${meanwhile.path} changed while it ran.` : null
}

/** What a repository keeps for itself: nobody reads its differences. */
const isData = (path: string): boolean => /(?:^|\/)\.git\/(?!hooks\/|config$)/.test(path) || /(?:^|\/)\.git$/.test(path)

async function diffsOf(
  changes: readonly Change[],
  view: View,
  workspace: string,
): Promise<{ files: FileDiff[]; more: number }> {
  const files: FileDiff[] = []
  let chars = 0
  // A folder is told by what is in it.
  const telling = changes.filter(
    ({ path, before, after }) => !isData(path) && !((before ?? after)?.kind === 'folder' && !isEmpty(path, changes)),
  )
  for (const { path, before, after } of telling) {
    if (files.length >= limits.shown || chars > limits.patchChars) break
    const diff = imageDiff(
      path,
      before && { ...before, kind: kindOf(before.kind), content: await imageAt(workspace, path) },
      after && { ...after, kind: kindOf(after.kind), content: await view.image(path) },
    )
    chars += diff.patch.length
    files.push(diff)
  }
  return {
    files,
    more: changes.filter(({ before, after }) => (before ?? after)?.kind !== 'folder').length - files.length,
  }
}

const isEmpty = (path: string, changes: readonly Change[]): boolean =>
  !changes.some((other) => other.path.startsWith(`${path}/`))

const kindOf = (kind: 'file' | 'folder' | 'link' | 'other'): 'file' | 'folder' | 'link' =>
  kind === 'other' ? 'file' : kind

import type { TrialState } from '../../src-preload/contract/sandbox'
import type { Change } from '../changes/diff'
import type { ProcessTable } from '../nodes/process-table'
import { applyChanges } from './apply'
import { type Bubblewrap, bubblewrapArgv } from './bubblewrap'
import type { Argv } from './cage'
import { openCopy } from './copy-view'
import { openOverlay } from './overlay-view'
import type { Sandbox } from './sandbox'
import { diffsOf, obstacleTo, realChanges, touchesProtected } from './trial-changes'
import type { View, ViewLimits } from './view'

const limits = {
  ms: 5 * 60_000,
  /** Limit on what a trial may write. */
  bytes: 1024 * 1024 * 1024,
  changes: 20_000,
  /** A copy is made only if the kernel cannot overlay the workspace. */
  copyBytes: 300 * 1024 * 1024,
} as const

const weighEveryMs = 1_000
const tailChars = 4_000

interface TrialRequest {
  sessionId: string
  callId: string
  workspace: string
  command: string
  cwd: string
}

type TrialEnd = Omit<Extract<TrialState, { status: 'done' }>, 'status' | 'limits'>

/** A command that runs, or has run, in a view of the workspace. */
export interface Trial {
  processId: string
  /** Rejects with a message for the user if it was stopped or exceeded a limit. */
  end: Promise<TrialEnd>
  /** Applies its changes to the workspace. Rejects before changing anything if the workspace has changed since. */
  apply(): Promise<void>
  /** Ends it and discards its changes. */
  close(): Promise<void>
}

export interface TrialRunner {
  isPossible(): Promise<boolean>
  begin(request: TrialRequest): Promise<Trial>
}

export function createTrialRunner(options: {
  sandbox: Sandbox
  table: ProcessTable
  shell: string
  path?: string
  clock?: () => number
}): TrialRunner {
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
        // Frozen and pinned paths may change here: the user sees the changes before they are applied.
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
  /** Settles after a stop, even if the end of the process is never reported. */
  const stopped = Promise.withResolvers<void>()
  const stop = (why: string): void => {
    problem ??= why
    if (table.get(processId)?.status === 'running')
      table.terminateNow(processId).then(() => stopped.resolve(), stopped.reject)
    else stopped.resolve()
  }
  const late = setTimeout(() => stop(`It was still running after ${limits.ms / 60_000} minutes.`), limits.ms)
  const weigh = setInterval(() => {
    view.size().then(
      (bytes) => {
        if (bytes > limits.bytes) stop(`It wrote more than ${limits.bytes / 2 ** 30} GB.`)
      },
      // A folder disappeared while its size was measured; the next measurement will do.
      () => {},
    )
  }, weighEveryMs)

  const ended = async (): Promise<{ end: TrialEnd; changes: Change[] }> => {
    try {
      await Promise.race([table.wait(processId), stopped.promise])
    } finally {
      clearTimeout(late)
      clearInterval(weigh)
    }
    if (problem !== null) throw new Error(problem)
    const row = table.get(processId)
    const changes = await realChanges(view, workspace)
    const shown = await diffsOf(changes, view, workspace)
    const obstacle = obstacleTo(changes, workspace, startedAt)
    return {
      changes,
      end: {
        processId,
        exitCode: row?.exitCode ?? null,
        tail: await table.tail(processId, tailChars),
        durationMs: (row?.endedAt ?? startedAt) - startedAt,
        ...shown,
        obstacle: obstacle ?? undefined,
        ...(touchesProtected(changes) && { typedWord: 'config' }),
      },
    }
  }
  const outcome = ended()
  // Callers of `end` get the rejection; it must not be reported as unhandled if there is no caller.
  outcome.catch(() => {})
  return {
    processId,
    end: outcome.then(({ end }) => end),
    apply: async () => applyChanges((await outcome).changes, view, workspace),
    close: async () => {
      stop('It was stopped.')
      await outcome.catch(() => {})
      await view.close()
    },
  }
}

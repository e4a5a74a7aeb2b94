import { groupsOf, signalGroups } from './child'
import { type FedProcess, openFedProcess } from './fed-process'
import { attachToLog, type HostedProcess, startProcess } from './hosted-process'
import { createLauncher } from './launcher'
import type { HostMessage, HostReply, HostRequest } from './messages'
import type { PanePort } from './pane'
import { type ProcessEvent, SecretInputError } from './process'
import { releasePrograms } from './windows/signals'

const CLOSE_GRACE_MS = 250
/** Ended processes whose screen is still shown at its true size; for older ones only the log is read. */
const MAX_ENDED = 100

/** Owns terminals and pipes. It does not know the transport: `send` sends a message to main. */
interface PtyHost {
  /** `port` comes with an `attach`. */
  handle(request: HostRequest, port?: PanePort): void
}

/** Sees the output of every process on this machine as it arrives: `chunk` ends at `offset` of the log. */
export type OutputTap = (id: string, chunk: Uint8Array, offset: number) => void

export function createPtyHost(send: (message: HostMessage) => void, tap?: OutputTap): PtyHost {
  const launcher = createLauncher()
  const processes = new Map<string, HostedProcess>()
  /** Processes of other machines. Kept apart because their pids mean nothing here. */
  const fed = new Map<string, FedProcess>()

  const running = (id: string): HostedProcess => {
    const found = processes.get(id)
    if (!found || found.exit) throw new Error('The process has ended')
    return found
  }

  const answer = async (requestId: number, work: () => HostReply | Promise<HostReply>) => {
    try {
      const value = await work()
      send({ type: 'reply', requestId, value })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      send({ type: 'refusal', requestId, message, secretInput: error instanceof SecretInputError })
    }
  }

  return {
    handle(request, port) {
      switch (request.type) {
        case 'start':
          return void answer(request.requestId, async () => {
            const { spec } = request
            const emit = (event: ProcessEvent) => {
              send({ type: 'event', id: spec.id, event })
              if (event.type === 'exit') forgetOldest(processes)
            }
            const giveWay = () => {
              for (const each of processes.values()) if (each.id !== spec.id) each.giveWay()
            }
            const tapped = tap && ((chunk: Uint8Array, offset: number) => tap(spec.id, chunk, offset))
            const started = await startProcess(spec, emit, giveWay, launcher, tapped)
            processes.set(spec.id, started)
            return { kind: 'started', pid: started.pid }
          })
        case 'write':
          return void answer(request.requestId, async () => {
            await running(request.id).write(request.data)
            return { kind: 'done' }
          })
        case 'resize':
          return processes.get(request.id)?.resize(request.cols, request.rows)
        case 'signal':
          return processes.get(request.id)?.signal(request.name)
        case 'screen':
          return void answer(request.requestId, async () => ({
            kind: 'screen',
            screen: await (fed.get(request.id) ?? running(request.id)).screen(),
          }))
        case 'attach': {
          if (!port) throw new Error('A pane came without its port')
          const found = processes.get(request.id) ?? fed.get(request.id)
          if (found) found.attach(port)
          else attachToLog(port, request.logPath, request.exit)
          return
        }
        case 'type':
          return processes.get(request.id)?.type(request.data)
        case 'feed-open':
          return void answer(request.requestId, async () => {
            const { spec } = request
            const { id } = spec
            await fed.get(id)?.close()
            const emit = (event: ProcessEvent) => send({ type: 'event', id, event })
            fed.set(id, openFedProcess({ spec, emit, forward: (asked) => send({ type: 'pane', id, request: asked }) }))
            forgetOldest(fed)
            return { kind: 'done' }
          })
        case 'feed':
          return fed.get(request.id)?.output(request.chunk)
        case 'feed-end':
          return fed.get(request.id)?.end(request.exit)
        case 'cage-open':
          return void answer(request.requestId, async () => {
            await launcher.cages.open(request.id, request.argv)
            return { kind: 'done' }
          })
        case 'cage-retire':
          return launcher.cages.retire(request.id)
        case 'close':
          return void answer(request.requestId, async () => {
            await Promise.all([...fed.values()].map((each) => each.close()))
            await endAll([...processes.values()].filter((each) => !each.exit))
            launcher.close()
            releasePrograms()
            return { kind: 'done' }
          })
      }
    },
  }
}

const forgetOldest = (processes: Map<string, { exit: unknown }>): void => {
  let tooMany = -MAX_ENDED
  for (const { exit } of processes.values()) if (exit) tooMany++
  for (const [id, { exit }] of processes) {
    if (tooMany <= 0) return
    if (exit && processes.delete(id)) tooMany--
  }
}

/** As when a terminal window closes: hang up, then kill. One process listing serves all of them. */
async function endAll(processes: HostedProcess[]): Promise<void> {
  if (processes.length === 0) return
  const pids = processes.map(({ pid }) => pid)
  const groups = groupsOf(pids)
  signalGroups(groups, 'SIGHUP')
  signalGroups(groups, 'SIGTERM')
  await allEnded(processes, CLOSE_GRACE_MS)
  signalGroups(groupsOf(pids), 'SIGKILL')
  await allEnded(processes, CLOSE_GRACE_MS)
}

async function allEnded(processes: HostedProcess[], withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs
  while (processes.some((each) => !each.exit) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

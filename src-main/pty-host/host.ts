import { signalGroup } from './child'
import { type HostedProcess, startProcess } from './hosted-process'
import type { HostMessage, HostReply, HostRequest } from './messages'

const CLOSE_GRACE_MS = 250

/** The engine that owns terminals and pipes. It does not know how messages travel: `send` is the way to main. */
export interface PtyHost {
  handle(request: HostRequest): void
}

export function createPtyHost(send: (message: HostMessage) => void): PtyHost {
  const processes = new Map<string, HostedProcess>()

  const find = (id: string): HostedProcess => {
    const found = processes.get(id)
    if (!found) throw new Error('The process has ended')
    return found
  }

  const answer = async (requestId: number, work: () => HostReply | Promise<HostReply>) => {
    try {
      const value = await work()
      send({ type: 'reply', requestId, value })
    } catch (error) {
      send({ type: 'refusal', requestId, message: error instanceof Error ? error.message : String(error) })
    }
  }

  return {
    handle(request) {
      switch (request.type) {
        case 'start':
          return void answer(request.requestId, async () => {
            const { spec } = request
            const started = await startProcess(spec, (event) => {
              if (event.type === 'exit') processes.delete(spec.id)
              send({ type: 'event', id: spec.id, event })
            })
            processes.set(spec.id, started)
            return { kind: 'started', pid: started.pid }
          })
        case 'write':
          return void answer(request.requestId, () => {
            find(request.id).write(request.data)
            return { kind: 'done' }
          })
        case 'resize':
          return processes.get(request.id)?.resize(request.cols, request.rows)
        case 'signal':
          return processes.get(request.id)?.signal(request.name)
        case 'screen':
          return void answer(request.requestId, () => {
            throw new Error('No screen yet')
          })
        case 'attach':
          return
        case 'close':
          return void answer(request.requestId, async () => {
            await endAll([...processes.values()])
            return { kind: 'done' }
          })
      }
    },
  }
}

/** As when a terminal window closes: hang up, then insist. */
async function endAll(processes: HostedProcess[]): Promise<void> {
  for (const each of processes) {
    each.signal('SIGHUP')
    each.signal('SIGTERM')
  }
  const deadline = performance.now() + CLOSE_GRACE_MS
  while (processes.some((each) => !each.exit) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  for (const each of processes) signalGroup(each.pid, 'SIGKILL')
}

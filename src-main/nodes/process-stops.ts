import { GRACE_MS, signalStarted } from './end-processes'
import type { Entry, ProcessBook } from './process-book'
import type { ProcessEndings } from './process-endings'
import { ProcessRefusal } from './process-refusal'

/** How long a killed program may take to report its end. */
const REPORT_MS = 1000

/** Signals to processes of the table, and to everything they have started. */
export function processStops({ find, finish, wait }: ProcessBook, endings: ProcessEndings) {
  const signal = (id: string, name: NodeJS.Signals) => {
    const entry = find(id)
    if (entry.process) {
      entry.process.signal(name)
      return endings.signalled(id, name)
    }
    if (entry.info.status === 'survived') signalSurvivor(entry, name)
    requireReach(entry)
  }

  const terminateNow = async (id: string) => {
    signal(id, 'SIGKILL')
    return (await wait(id, REPORT_MS)) === 'exited' ? 'exited' : 'unreported'
  }

  const requireReach = ({ info }: Entry) => {
    if (info.link !== 'down' || info.status !== 'running') return
    throw new ProcessRefusal('out-of-reach', `Node ${info.node} is not connected`)
  }

  const signalSurvivor = (entry: Entry, name: NodeJS.Signals) => {
    signalStarted(new Map([[entry.info.id, null]]), name, { byEnvironment: true })
    if (name === 'SIGKILL') finish(entry, { status: 'lost', exitCode: null, signal: name })
  }

  const terminate = async (id: string, graceMs = GRACE_MS): Promise<'exited' | 'unreported'> => {
    signal(id, 'SIGTERM')
    const [ended] = await Promise.all([wait(id, graceMs), endings.end([id], ['SIGTERM'], graceMs)])
    return ended === 'exited' ? 'exited' : terminateNow(id)
  }

  return { signal, terminate, terminateNow, requireReach }
}

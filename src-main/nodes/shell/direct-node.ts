import { homedir } from 'node:os'
import { shellFiles } from '../files/shell-files'
import type { LocalNode } from '../local'
import type { HostInfo, Node, NodeProcess, ProcessEvent, ProcessSpec } from '../node'
import { NodeError } from '../node-error'
import { farEndScript, forgetScript, programFor, settingsScript, signalScript } from './direct-process'
import { cutExit, quote, type RemoteShell, runScript, wasCut } from './remote-shell'
import { staged } from './staged-text'

const ending = new Set<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGHUP'])
/** Time for the last output of the far end to arrive through the near one. */
const nearEndMs = 300
/** The interval between looks at a process whose near end is gone. */
const lookMs = 1_000
const scriptMs = 20_000

interface DirectNode extends Node {
  /**
   * Finds a process again after its connection was lost: its end is reported, its output since is not. `null` if it is
   * gone.
   */
  resume(process: { id: string; pid: number }): Promise<NodeProcess | null>
  /** Ends what still runs there, and leaves no exit codes: nobody will come back for them. */
  forget(): Promise<void>
}

/**
 * A node whose processes are local programs that connect to it: `ssh`, `docker exec`. They end with the app. A signal
 * is sent to both ends, since not every such program forwards signals.
 */
export function createDirectNode(options: {
  id: string
  shell: RemoteShell
  localNode: LocalNode
  info: HostInfo
  /** The installation that starts processes there. */
  owner?: string | undefined
  /** The connection of a process was lost; the process may continue there. */
  onOutOfReach?(id: string): void
}): DirectNode {
  const { shell, localNode, onOutOfReach } = options
  const looks = new Set<NodeJS.Timeout>()
  /** Processes that may leave an exit code there. */
  const unfinished = new Set<string>()

  const signalThere = (id: string, name: NodeJS.Signals): void =>
    // The near end gets the signal in any case.
    void runScript(shell, signalScript(id, name), { timeoutMs: scriptMs }).catch(() => {})

  const stateOf = async (id: string): Promise<{ ended: number | null } | null> => {
    const { stdout } = await runScript(shell, farEndScript(id), { timeoutMs: scriptMs })
    const [, word, code] = /^(running|ended)(?: (\d+))?$/m.exec(stdout.toString()) ?? []
    if (word === undefined) return null
    return { ended: word === 'ended' ? Number(code) : null }
  }

  return {
    id: options.id,
    role: 'execution',
    info: () => options.info,
    files: shellFiles(shell),
    async start(spec: ProcessSpec): Promise<NodeProcess> {
      await shell.ready()
      const tty = spec.tty !== null
      const program = programFor(spec, { owner: options.owner ?? 'nobody', pid: process.pid })
      const argv = shell.argv(`exec sh -c ${quote(await staged(shell, program))}`, { tty, stdin: true })
      const farTerminal = tty ? { farTerminal: shell.argv(`exec sh -c ${quote(settingsScript(spec.id))}`) } : {}
      const started = await localNode.start({ ...spec, argv, cwd: homedir(), env: {}, ...farTerminal })
      unfinished.add(spec.id)
      return {
        ...started,
        onEvent(listener) {
          started.onEvent((event: ProcessEvent) => {
            // Without a code it was the near end that ended.
            if (event.type === 'exit' && event.exitCode !== null && event.exitCode !== cutExit)
              unfinished.delete(spec.id)
            if (event.type !== 'exit' || !onOutOfReach) return listener(event)
            void wasCut(shell, event.exitCode).then((cut) => (cut ? onOutOfReach(spec.id) : listener(event)))
          })
        },
        signal(name) {
          signalThere(spec.id, name)
          if (ending.has(name)) setTimeout(() => started.signal(name), nearEndMs)
        },
      }
    },
    async resume({ id, pid }) {
      if ((await stateOf(id)) === null) return null
      let tell: (event: ProcessEvent) => void = () => {}
      const look = async (): Promise<void> => {
        const state = await stateOf(id)
        if (state?.ended === null) return later()
        if (!state) return tell({ type: 'lost' })
        await runScript(shell, forgetScript(id), { timeoutMs: scriptMs })
        tell({ type: 'exit', exitCode: state.ended, signal: null })
      }
      const later = (): void => {
        const timer = setTimeout(() => {
          looks.delete(timer)
          look().catch(() => onOutOfReach?.(id))
        }, lookMs)
        looks.add(timer)
      }
      const gone = () => Promise.reject(new NodeError('failed', 'Its terminal ended with the connection'))
      return {
        pid,
        onEvent(listener) {
          tell = listener
          look().catch(() => onOutOfReach?.(id))
        },
        write: gone,
        resize: () => {},
        signal: (name) => signalThere(id, name),
        screen: gone,
      }
    },
    async forget() {
      if (unfinished.size === 0 || !(await shell.check())) return
      // Without a terminal there, nothing else would end it.
      const ends = [...unfinished].map((id) => `( ${signalScript(id, 'SIGTERM')}\n)`)
      const script = [...ends, forgetScript(...unfinished)].join('\n')
      await runScript(shell, script, { timeoutMs: scriptMs, atClose: true }).catch(() => {}) // The next connection tidies.
      unfinished.clear()
    },
    async close() {
      for (const timer of looks) clearTimeout(timer)
    },
  }
}

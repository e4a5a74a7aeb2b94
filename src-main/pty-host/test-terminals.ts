import { ReadStream } from 'node:tty'
import type { Terminal } from './native-pty'
import type { ProcessExit, ProcessSpec } from './process'

/** A shell command in a terminal of this size. */
export const shellSpec = (command: string, more: Partial<ProcessSpec> = {}): ProcessSpec => ({
  id: 'p',
  argv: ['/bin/sh', '-c', command],
  cwd: '/usr/lib',
  env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  tty: { cols: 91, rows: 17 },
  logPath: '',
  ...more,
})

/** What a program prints, and how it ends. */
export async function outcomeOf(terminal: Terminal): Promise<{ said: string; exit: ProcessExit | null }> {
  const stream = new ReadStream(terminal.fd)
  let said = ''
  stream.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  stream.on('error', () => stream.destroy())
  const closed = new Promise((resolve) => stream.on('close', resolve))
  const exit = await terminal.exited
  terminal.release()
  await closed
  return { said: said.replaceAll('\r\n', '\n'), exit }
}

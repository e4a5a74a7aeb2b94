import { afterEach, expect, it, vi } from 'vitest'
import { startForkServer } from './fork-server'
import * as nativePty from './native-pty'
import { outcomeOf, shellSpec } from './test-terminals'

vi.mock('./native-pty', async (importOriginal) => {
  const original = await importOriginal<typeof nativePty>()
  return { ...original, openTerminal: vi.fn(original.openTerminal) }
})

const size = { cols: 80, rows: 24 }
const faults: unknown[] = []
const onFault = (error: unknown) => faults.push(error)

afterEach(() => void process.off('uncaughtException', onFault))

it.runIf(process.platform === 'linux')('goes on when there is no terminal to keep for the next program', async () => {
  process.on('uncaughtException', onFault)
  const server = startForkServer()
  if (!server) throw new Error('There is no Perl here')
  expect(await server.ready).toBe(true)

  const openTerminal = vi.mocked(nativePty.openTerminal)
  const first = server.open(shellSpec('read line'), size)
  openTerminal.mockImplementationOnce(() => {
    throw new Error('openpty(3) failed.')
  })
  const { pid } = (await first) ?? {}
  await expect.poll(() => openTerminal.mock.results.at(-1)?.type).toBe('throw')
  const next = await server.open(shellSpec('echo next'), size)
  expect(next && (await outcomeOf(next)).said).toBe('next\n')
  expect(faults).toEqual([])
  if (pid) process.kill(pid, 'SIGKILL')
  server.close()
})

import { afterEach, expect, it } from 'vitest'
import { startForkServer } from './fork-server'
import { openTerminal, type Size } from './native-pty'
import { outcomeOf, shellSpec } from './test-terminals'

const size = { cols: 80, rows: 24 }
const faults: unknown[] = []
const onFault = (error: unknown) => faults.push(error)

afterEach(() => void process.off('uncaughtException', onFault))

it.runIf(process.platform === 'linux')('goes on when there is no terminal to keep for the next program', async () => {
  process.on('uncaughtException', onFault)
  let refused = 0
  let none = false
  const open = (wanted: Size) => {
    if (!none) return openTerminal(wanted)
    none = false
    refused++
    throw new Error('openpty(3) failed.')
  }
  const server = startForkServer({ open })
  if (!server) throw new Error('There is no Perl here')
  expect(await server.ready).toBe(true)

  const first = server.open(shellSpec('read line'), size)
  none = true
  const { pid } = (await first) ?? {}
  await expect.poll(() => refused).toBe(1)
  const next = await server.open(shellSpec('echo next'), size)
  expect(next && (await outcomeOf(next)).said).toBe('next\n')
  expect(faults).toEqual([])
  if (pid) process.kill(pid, 'SIGKILL')
  server.close()
})

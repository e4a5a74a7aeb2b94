import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { held } from '../pty-host/held-program'
import { looksTaken } from '../pty-host/process-list'
import { leftRunning } from './left-running'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A program with the mark of a process that has ended. */
async function leftBy(id: string): Promise<number> {
  const { argv } = held({ id, argv: ['/bin/sh', '-c', 'echo started; exec sleep 600'], cwd: '/', env: {} })
  const child = spawn(argv[0], argv.slice(1), { env: {} })
  children.push(child)
  await once(child.stdout, 'data')
  return child.pid ?? 0
}

const ended = (id: string) => ({ id, pid: 1, command: '', status: 'exited' }) as ProcessInfo
const pidsOf = (id: string, since?: number) => leftRunning([ended(id)], since).processes.map(({ pid }) => pid)

describe.runIf(process.platform === 'linux')('what is left running', () => {
  it('is found without its environment, and no longer when it has ended', async () => {
    const pid = await leftBy('a')
    expect(pidsOf('a')).toEqual([pid])
    process.kill(pid, 'SIGKILL')
    await once(children[0] as ChildProcess, 'exit')
    expect(pidsOf('a')).toEqual([])
  })

  it('of many calls is found in one look at the machine', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `call-${index}`)
    const pids = await Promise.all(ids.map(leftBy))
    const since = performance.now()
    const before = looksTaken()
    expect(ids.flatMap((id) => pidsOf(id, since))).toEqual(pids)
    expect(looksTaken() - before).toBe(1)
    const later = await leftBy('later')
    expect(pidsOf('later', since)).toEqual([])
    expect(pidsOf('later')).toEqual([later])
  })
})

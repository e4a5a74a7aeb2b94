import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { isProcessAlive, startOfProcess } from './process-alive'

it('knows a running process from one that was never there', () => {
  expect(isProcessAlive(process.pid)).toBe(true)
  expect(isProcessAlive(2 ** 30)).toBe(false)
})

it('takes a process that has ended but was not collected for ended', async () => {
  // The shell turns into a sleep that never asks after its child. Before that it might collect the child itself.
  const parent = spawn('sh', ['-c', 'sleep 50 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = await once(parent.stdout, 'data')
    const child = Number(String(line))
    const parentRuns = () =>
      spawnSync('ps', ['-o', 'args=', '-p', String(parent.pid)], { encoding: 'utf8' }).stdout.trim()
    await expect.poll(parentRuns, { timeout: 20_000 }).toBe('sleep 60')
    process.kill(child, 'SIGKILL')
    await expect.poll(() => isProcessAlive(child), { timeout: 20_000 }).toBe(false)
    if (process.platform === 'linux') {
      expect(spawnSync('ps', ['-o', 'stat=', '-p', String(child)], { encoding: 'utf8' }).stdout).toMatch(/^Z/)
    }
  } finally {
    parent.kill('SIGKILL')
  }
})

it('tells when a process began, and nothing of one that is gone', () => {
  if (process.platform === 'linux') expect(startOfProcess(process.pid)).toMatch(/^\d+$/)
  expect(startOfProcess(2 ** 30)).toBe('')
})

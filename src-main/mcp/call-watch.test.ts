import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { watchCall } from './call-watch'

const never = new AbortController().signal
const silence = 'Nothing was heard from the server'

it('ends a call that is silent for too long', async () => {
  const watch = watchCall(never, 20)
  await expect.poll(() => watch.signal.aborted, { timeout: 20_000 }).toBe(true)
  expect(watch.signal.reason.message).toContain(silence)
  await watch.end()
})

it('waits as long as the user likes, and no longer when they have answered', async () => {
  const watch = watchCall(never, 20)
  const said = await watch.asking(async () => {
    await pause(200)
    return watch.signal.aborted
  }, never)
  expect(said).toBe(false)
  await expect.poll(() => watch.signal.aborted, { timeout: 20_000 }).toBe(true)
  await watch.end()
})

it('withdraws a question with the call, and settles after it', async () => {
  const watch = watchCall(never, 60_000)
  let withdrawn = false
  const asked = watch.asking(async (signal) => {
    await pause(60_000, undefined, { signal }).catch(() => pause(20))
    withdrawn = true
  }, never)
  await watch.end()
  expect(withdrawn).toBe(true)
  await asked
  expect(watch.signal.aborted).toBe(false)
})

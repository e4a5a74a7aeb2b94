import { createServer, get } from 'node:http'
import { networkInterfaces } from 'node:os'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Provider } from '../../src-preload/contract/models'
import { createProviderSignIns } from './provider-sign-ins'
import { openRouterStandIn } from './testing/openrouter'

let stand: Awaited<ReturnType<typeof openRouterStandIn>>
beforeEach(async () => {
  stand = await openRouterStandIn()
})
afterEach(() => stand.close())

const bench = (patienceMs?: number) => {
  const saved: unknown[] = []
  const keys: string[] = []
  const signIns = createProviderSignIns({
    providers: {
      list: (): Provider[] => [],
      save: async (input) => {
        saved.push(input)
        return []
      },
    },
    fetch,
    openRouter: stand.base,
    onKey: (key) => void keys.push(key),
    ...(patienceMs !== undefined && { patienceMs }),
  })
  return { signIns, saved, keys }
}
/** As a browser does: follows where it is sent, and takes a new connection each time. Answers with the last status. */
const visit = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(address, { agent: false }, (response) => {
      response.resume()
      const { location } = response.headers
      resolve(location ? visit(location) : (response.statusCode ?? 0))
    }).on('error', reject)
  })
const browse = (address: string): boolean => {
  visit(address).catch(() => {})
  return true
}
const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'))
const backOf = (address: string): string => new URL(address).searchParams.get('callback_url') ?? ''

test('a sign-in brings a key, which is stored like any other', async () => {
  const { signIns, saved, keys } = bench()
  expect(await signIns.openRouter(browse)).toBe(true)
  const baseUrl = `${stand.base}/api/v1`
  expect(saved).toEqual([{ name: 'OpenRouter', kind: 'openai', baseUrl, key: 'sk-or-v1-signed-in', keySource: null }])
  expect(keys).toEqual(['sk-or-v1-signed-in'])
})

test('a code that another page brings is not taken', async () => {
  const { signIns, saved } = bench()
  const statuses: number[] = []
  const done = signIns.openRouter(async (address) => {
    const { origin } = new URL(backOf(address))
    for (const path of ['/callback', '/callback/guess', '/']) statuses.push(await visit(`${origin}${path}?code=stolen`))
    signIns.cancel()
    return true
  })
  expect(await done).toBe(false)
  expect(statuses).toEqual([404, 404, 404])
  expect(saved).toEqual([])
})

test('a code that was not meant for us gets no key, and the words say what happened', async () => {
  const { signIns, saved } = bench()
  const forged = (address: string): boolean => browse(`${backOf(address)}?code=forged`)
  await expect(signIns.openRouter(forged)).rejects.toThrow(/gave no key \(403\): .*Invalid code.*Try to sign in again/)
  expect(saved).toEqual([])
})

test('refusing, giving up and waiting too long end it', async () => {
  const refused = bench().signIns.openRouter((address) => browse(`${backOf(address)}?error=access_denied`))
  await expect(refused).rejects.toThrow('The sign-in was refused: access_denied')
  await expect(bench(50).signIns.openRouter(() => true)).rejects.toThrow('Nobody signed in within ten minutes')
  const { signIns } = bench()
  const first = signIns.openRouter(() => true)
  const second = signIns.openRouter(browse)
  expect([await first, await second]).toEqual([false, true])
})

test.skipIf(!hasIpv6)('a program that listens on the same port for IPv6 alone does not get the redirect', async () => {
  const { promise: addressOf, resolve: tell } = Promise.withResolvers<string>()
  const { signIns } = bench()
  const first = signIns.openRouter((address) => {
    tell(backOf(address))
    return true
  })
  const { port, pathname } = new URL(await addressOf)
  for (const host of ['127.0.0.1', '[::1]']) expect(await visit(`http://${host}:${port}/`)).toBe(404)
  const refused = expect(first).rejects.toThrow('access_denied')
  expect(await visit(`http://[::1]:${port}${pathname}?error=access_denied`)).toBe(200)
  await refused

  // Another program there: the sign-in takes another port.
  const other = createServer((_request, response) => response.end('Not Deckhand'))
  await new Promise<void>((resolve) => other.listen(Number(port), '::1', resolve))
  try {
    const second = bench().signIns.openRouter((address) => {
      expect(new URL(backOf(address)).port).not.toBe(port)
      return browse(address)
    })
    expect(await second).toBe(true)
  } finally {
    other.close()
  }
})

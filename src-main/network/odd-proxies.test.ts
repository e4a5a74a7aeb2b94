import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { exchange } from '../agent/exchange'
import { createNetwork, type Network } from './network'

/* Proxies that answer as a proxy should not, or refuse in unusual words. */

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

/** The way through a proxy that answers everything with these bytes; `keeps` leaves the connection open. */
const behind = async (answer: string, keeps = false): Promise<Network> => {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => (keeps ? socket.write(answer) : socket.end(answer)))
    open.push({ close: () => socket.destroy() })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://me:word@127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { proxy: '', proxyUser: '', proxyPassword: null, certificateFile: '' }
  const network = createNetwork({
    env: { ALL_PROXY: address },
    settings: () => settings,
    onSecret: () => {},
    warn: () => {},
    testMs: 300,
  })
  open.push(network, { close: () => server.close() })
  return network
}
const page = 'https://page.example/'

test('a wrong password is told as such by a proxy that offers more than passwords', async () => {
  const offers = ['Negotiate', 'NTLM', 'Basic realm="corp"'].map((each) => `Proxy-Authenticate: ${each}\r\n`)
  const all = await behind(`HTTP/1.1 407 Authentication Required\r\n${offers.join('')}\r\n`)
  await expect(all.fetch(page)).rejects.toMatchObject({
    kind: 'proxy',
    message: expect.stringContaining('refused the user name or the password (407)'),
  })
  const others = await behind(`HTTP/1.1 407 Authentication Required\r\n${offers.slice(0, 2).join('')}\r\n`)
  await expect(others.fetch(page)).rejects.toMatchObject({
    message: expect.stringContaining('asks for a sign-in by Negotiate, which Deckhand does not speak'),
  })
})

test('a wrong password is told as such for a request that the proxy takes itself', async () => {
  const network = await behind(
    'HTTP/1.1 407 Auth\r\nProxy-Authenticate: Basic realm="corp"\r\nContent-Length: 0\r\n\r\n',
  )
  for (const method of ['GET', 'HEAD'])
    await expect(network.fetch('http://page.example/', { method })).rejects.toMatchObject({
      kind: 'proxy',
      message: expect.stringContaining('refused the user name or the password (407)'),
    })
})

test('what is no proxy is told as such at once, even if it keeps the connection', async () => {
  const network = await behind('SSH-2.0-OpenSSH_9.6\r\n', true)
  await expect(network.fetch(page)).rejects.toMatchObject({
    kind: 'proxy',
    message: expect.stringContaining('it does not answer as a proxy'),
  })
}, 5000)

test('the words of a refusal do not steer a terminal', async () => {
  const network = await behind('HTTP/1.1 403 \u001b]0;x\u0007Forbidden\r\nContent-Type: text/html\r\n\r\n<p>No</p>')
  await expect(network.fetch(page)).rejects.toMatchObject({
    kind: 'proxy',
    message: expect.stringMatching(/does not let Deckhand connect to page\.example:443 \(403 \]0;xForbidden\)\.$/),
  })
})

test('the test of an address names the proxy that does not answer', async () => {
  const network = await behind('', true)
  for (const scheme of ['https', 'http'])
    expect(await network.test(new URL(`${scheme}://page.example/`))).toEqual({
      ok: false,
      message: expect.stringMatching(
        /^page\.example could not be reached in time through the proxy 127\.0\.0\.1:\d+, which is named by ALL_PROXY\.$/,
      ),
    })
})

test('a proxy that repeats what it was sent does not bring its password into the error', async () => {
  const sent = Buffer.from('me:word').toString('base64')
  for (const words of [`No ${sent} here`, 'No me/word here']) {
    const network = await behind(`HTTP/1.1 403 ${words}\r\n\r\n`)
    await expect(network.fetch(page)).rejects.toMatchObject({
      message: expect.stringMatching(/\(403 No (?:me\/)?\[hidden\] here\)\.$/),
    })
  }
})

test('a refusal of the proxy is not taken for one of the host where it takes the request itself', async () => {
  const plain = 'http://page.example/'
  const ask = async (head: string) => {
    const network = await behind(`HTTP/1.1 403 Forbidden\r\n${head}\r\nContent-Length: 2\r\n\r\n{}`)
    const { signal } = new AbortController()
    const answer = await exchange(plain, { headers: {}, signal, network }).catch((error: Error) => error)
    const fetched = await network.fetch(plain).catch((error: Error) => error)
    return { answer, fetched, tested: await network.test(new URL(plain)) }
  }
  const own = await ask('X-Squid-Error: ERR_ACCESS_DENIED 0')
  for (const each of [own.answer, own.fetched, own.tested])
    expect(each).toMatchObject({
      message: expect.stringMatching(/does not let Deckhand connect to page\.example \(403\)/),
    })
  expect(own.tested.ok).toBe(false)

  const page = await ask('Content-Type: text/html')
  const either = expect.stringMatching(/refused \(403\), by page\.example or by the proxy 127\.0\.0\.1:\d+ /)
  expect(page.answer).toMatchObject({ kind: 'proxy', message: either })
  expect(page.fetched).toMatchObject({ status: 403 })
  expect(page.tested).toMatchObject({ ok: false, message: either })

  expect((await ask('Content-Type: application/json')).answer).toMatchObject({ status: 403 })
})

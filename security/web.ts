import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebError } from '../src-main/web/errors'
import { createFetch, type Resolve } from '../src-main/web/guarded-fetch'
import { type Case, expand, type Judge, type Result, verdict } from './cases'

/** A public address at which nobody answers us. */
const somewhere = '93.184.216.34'
const waitMs = 700

/** Addresses to fetch from, against the fetcher of the web tools; names are resolved as the case says. */
export const webJudge: Judge = {
  classes: ['ssrf'],
  async run(cases) {
    const results: Result[] = []
    for (const one of cases) results.push(await judge(one))
    return results
  },
}

async function judge(one: Case): Promise<Result> {
  const { url } = expand(one.input) as { url: string }
  const server = typeof one.setup.server === 'string' ? one.setup.server : null
  if (typeof one.setup.env === 'string') {
    const [name = '', ...value] = one.setup.env.split('=')
    process.env[name] = value.join('=')
  }
  const end = server === null ? await reach(url, resolverFor(one)) : await reachThrough(server)
  const wanted = one.expected.decision === 'allow' ? end.kind === 'tried' : end.kind !== 'tried'
  return verdict(one, wanted, end.note)
}

type End = { kind: 'refused' | 'error' | 'tried'; note: string }

async function reach(url: string, resolve: Resolve, trusted = false): Promise<End & { redirect?: string }> {
  const fetch = createFetch({ allowLocal: () => false, resolve })
  try {
    const { redirect } = await fetch({ url, keepBytes: 1000, timeoutMs: waitMs, trusted })
    return { kind: 'tried', note: 'it was fetched', ...(redirect !== undefined && { redirect }) }
  } catch (error) {
    if (!(error instanceof WebError)) throw error
    const refused = error.kind === 'refused' || error.kind === 'invalid' || /bad port/.test(error.message)
    // Nothing of the internet can be reached from a test: what got as far as connecting was let through.
    const connecting =
      error.kind === 'timeout' ||
      /ENETUNREACH|EHOSTUNREACH|ECONNREFUSED|ETIMEDOUT|ECONNRESET|Connect Timeout|certificate|altnames|SSL|TLS/i.test(
        error.message,
      )
    return { kind: refused ? 'refused' : connecting ? 'tried' : 'error', note: error.message }
  } finally {
    await fetch.close()
  }
}

/** A server of our own answers as the case says; where it sends us is then looked at like any other address. */
async function reachThrough(answer: string): Promise<End> {
  const server = await serve(answer)
  const { port } = server.address() as AddressInfo
  try {
    const here: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const end = await reach(`http://evil.test:${port}/`, here, true)
    return end.redirect === undefined ? end : await reach(end.redirect, resolverFor(null))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function serve(answer: string): Promise<Server> {
  const [, status, location] = /^(\d{3}) Location: (\S+)/.exec(answer) ?? []
  const server = createServer((_request, response) => {
    if (location !== undefined) response.writeHead(Number(status), { location }).end()
    else if (/header/.test(answer)) response.writeHead(200, { 'x-long': 'a'.repeat(1_000_000) }).end()
    else response.end(answer)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return server
}

const LOCAL_NAMES = /localhost|nip\.io|sslip\.io|localtest\.me|lvh\.me|vcap\.me|CNAME localhost/

function resolverFor(one: Case | null): Resolve {
  const dns = one?.setup.dns
  return async (hostname) => {
    const named = Array.isArray(dns) ? (dns as string[][]).flat() : null
    const local = LOCAL_NAMES.test(hostname) || (typeof dns === 'string' && LOCAL_NAMES.test(dns))
    const addresses = named ?? [local ? '127.0.0.1' : somewhere]
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
}

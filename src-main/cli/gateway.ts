import { resolve } from 'node:path'
import { UsageError } from '../arguments'
import { newToken } from '../gateway/tokens'
import { openHeadlessEngine } from './headless-engine'
import type { Stopping } from './stopping'

const shortestToken = 16

/** Serves nodes without a window until it is stopped. */
export async function gateway(options: Map<string, string>, _operands: string[], stopping: Stopping): Promise<number> {
  const given = options.get('token') ?? process.env.DECKHAND_GATEWAY_TOKEN
  if (given !== undefined && given.length < shortestToken) {
    throw new UsageError(`--token needs at least ${shortestToken} characters; leave it out to get a random one`)
  }
  delete process.env.DECKHAND_GATEWAY_TOKEN
  const host = options.get('host')
  const port = options.get('port')
  const certificate = options.get('certificate')
  const key = options.get('key')
  if (key !== undefined && certificate === undefined) throw new UsageError('--key needs --certificate')
  const shared = given ?? (options.has('add') ? undefined : newToken())
  const engine = await openHeadlessEngine(options, stopping, false, {
    gatewayToken: shared,
    serves: true,
    overrides: {
      gatewayEnabled: true,
      ...(host !== undefined && { gatewayHost: host }),
      ...(port !== undefined && { gatewayPort: Number(port) }),
      ...(certificate !== undefined && {
        gatewayCertificate: resolve(certificate),
        gatewayKey: key ? resolve(key) : '',
      }),
    },
  })
  const { nodes } = engine
  const say = (text: string): void => void process.stdout.write(`${text}\n`)
  const stopped = new Promise<void>((stop) => {
    stopping.signal.addEventListener('abort', () => stop(), { once: true })
  })
  try {
    const { url, loopback, pin } = await nodes.gateway.start()
    say(`Listening on ${url}${loopback ? '' : ' (reachable from the network)'}`)
    if (pin !== null) say(`Its pin, for nodes: ${pin}`)
    const added = options.get('add')
    if (added) say(`Run this on the other machine:\n  ${(await nodes.add({ id: added })).command}`)
    else if (given === undefined) say(`Nodes can connect with this token until the gateway stops:\n  ${shared}`)
    let before = new Map<string, string>()
    engine.subscribe((event) => {
      if (event.type !== 'nodes') return
      const now = new Map(event.nodes.filter(({ local }) => !local).map(({ id, state }) => [id, state]))
      for (const [id, state] of now) if (before.get(id) !== state && state !== 'expected') say(`Node ${id} ${state}`)
      before = now
    })
    await stopped
    return 0
  } finally {
    await engine.close()
  }
}

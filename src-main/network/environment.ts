import { BlockList, isIP } from 'node:net'
import { isLoopback } from '../../src-preload/contract/loopback'
import { type ProxyAddress, parseProxy, writtenPassword } from './proxy-address'
import { proxyUnusable } from './trouble'

type Environment = Readonly<Record<string, string | undefined>>

const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY']

/** The proxy that the environment names for an address; null for none. Throws if what it names cannot be used. */
export function environmentProxy(env: Environment, url: URL): ProxyAddress | null {
  const names = url.protocol === 'https:' ? ['HTTPS_PROXY', 'ALL_PROXY'] : ['HTTP_PROXY', 'ALL_PROXY']
  for (const name of names) {
    const [found, value] = variable(env, name)
    if (!value) continue
    const proxy = parseProxy(value, found)
    if (!proxy) throw proxyUnusable(`The variable ${found}`)
    return proxy
  }
  return null
}

/** The passwords in the variables, as they are written there, also in one that cannot be used. */
export const writtenPasswords = (env: Environment): string[] =>
  proxyVariables.flatMap((name) =>
    [env[name], env[name.toLowerCase()]].flatMap((value) => writtenPassword(value ?? '')),
  )

/** Names whose value is not the address of a proxy. */
export const unusableProxies = (env: Environment): string[] =>
  proxyVariables.flatMap((name) => {
    const [found, value] = variable(env, name)
    return value && !parseProxy(value, found) ? [found] : []
  })

/** The lower case wins, as everywhere. */
const variable = (env: Environment, name: string): [string, string] => {
  const lower = env[name.toLowerCase()]?.trim()
  return lower ? [name.toLowerCase(), lower] : [name, env[name]?.trim() ?? '']
}

/** Whether an address is to be reached without a proxy, whoever named one. Loopback is, unless `<-loopback>` says otherwise. */
export function goesDirect(env: Environment, url: URL): boolean {
  const [, list] = variable(env, 'NO_PROXY')
  const entries = list.split(/[\s,]+/).filter(Boolean)
  // The dot of a complete name makes it no other host.
  const host = url.hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '')
  if (isLoopback(host)) return !entries.includes('<-loopback>')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return entries.some((entry) => matches(entry.toLowerCase(), host, port))
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const network = /^(?:\[([0-9a-f.:]+)\]|([0-9a-f.:]+))\/(\d{1,3})$/.exec(entry)
  if (network) return isIn(host, network[1] ?? network[2] ?? '', Number(network[3]))
  const [, bracketed, bare, wantedPort] = /^(?:\[([^\]]+)\]|([^:]*|[0-9a-f:]+))(?::(\d+))?$/.exec(entry) ?? []
  const named = (bracketed ?? bare ?? '').replace(/^\*?\./, '').replace(/\.$/, '')
  if (named === '' || (wantedPort !== undefined && wantedPort !== port)) return false
  // The same address of IPv6 can be written in many ways.
  if (isIP(named) === 6) return isIn(host, named, 128)
  return host === named || (isIP(host) === 0 && host.endsWith(`.${named}`))
}

const isIn = (host: string, network: string, bits: number): boolean => {
  const family = isIP(host)
  if (family === 0 || isIP(network) !== family || bits > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  const type = family === 4 ? 'ipv4' : 'ipv6'
  list.addSubnet(network, bits, type)
  return list.check(host, type)
}

import { type ProxyAddress, shownProxy } from './proxy-address'
import { unknownIssuer } from './unknown-issuer'

type TroubleKind = 'proxy' | 'certificate'

/** A request that could not go out, or not safely: because of the proxy, or because of a certificate. In words for the user. */
export class NetworkTrouble extends Error {
  constructor(
    readonly kind: TroubleKind,
    message: string,
    readonly hint: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'NetworkTrouble'
  }
}

export const proxyUnreachable = (proxy: ProxyAddress, error: unknown): NetworkTrouble =>
  new NetworkTrouble(
    'proxy',
    `The proxy ${shownProxy(proxy)} cannot be reached${reason(error)}.`,
    `It is named by ${proxy.from}. Check its address and port there, or whether this network needs it at all.`,
    { cause: error },
  )

/** What names a proxy but is not the address of one. Its value is not shown: there may be a password in it. */
export const proxyUnusable = (named: string): NetworkTrouble =>
  new NetworkTrouble(
    'proxy',
    `${named} does not hold the address of a proxy that can be used.`,
    'Nothing was sent. Write it as http://user:password@host:port, also with https:// or socks5://, and percent-encode what is special in a name or a password: %23 for #, %2F for /, %3F for ?.',
  )

const reasons = new Map([
  ['ECONNREFUSED', 'nothing answers there'],
  ['ENOTFOUND', 'its name cannot be found'],
  ['EAI_AGAIN', 'its name cannot be looked up right now'],
  ['ETIMEDOUT', 'it did not answer in time'],
  ['UND_ERR_CONNECT_TIMEOUT', 'it did not answer in time'],
  ['ECONNRESET', 'it closed the connection'],
  ['EHOSTUNREACH', 'the network does not lead to it'],
  ['ENETUNREACH', 'the network does not lead to it'],
])

const reason = (error: unknown): string => {
  const code = codeOf(error)
  const words = reasons.get(code) ?? code
  return words ? `: ${words}` : ''
}

/** A request that a proxy takes itself fails by the proxy if that cannot be connected to, or asks for a password. */
export const whenProxyIsGone = (error: unknown, proxy: ProxyAddress): unknown => {
  let at = error
  for (let depth = 0; depth < 5 && at instanceof Error; depth++) {
    if ('syscall' in at && (at.syscall === 'connect' || at.syscall === 'getaddrinfo'))
      return proxyUnreachable(proxy, at)
    const code = 'code' in at ? at.code : ''
    if (code === 'UND_ERR_CONNECT_TIMEOUT') return proxyUnreachable(proxy, at)
    // Undici has no code of its own for it, and keeps the answer to itself.
    if (code === 'UND_ERR_INVALID_ARG' && at.message.includes('(407)')) return proxyPassword(proxy, '')
    at = at.cause
  }
  return error
}

/** 407. `offers`: what the proxy accepts, by its Proxy-Authenticate header. */
export const proxyPassword = (proxy: ProxyAddress, offers: string): NetworkTrouble => {
  const shown = shownProxy(proxy)
  const variable = /_proxy$/i.test(proxy.from) ? `, or in ${proxy.from} as http://user:password@host:port` : ''
  const where = `Enter them under Settings → Network${variable}.`
  if (offers !== '' && !/\bbasic\b/i.test(offers)) {
    const wanted = offers.split(/[\s,]/)[0] ?? offers
    return new NetworkTrouble(
      'proxy',
      `The proxy ${shown} asks for a sign-in by ${wanted.slice(0, 40)}, which Deckhand does not speak.`,
      'Run a helper that does, such as px or cntlm, on this machine and name that as the proxy.',
    )
  }
  return proxy.user === undefined
    ? new NetworkTrouble('proxy', `The proxy ${shown} asks for a user name and a password (407).`, where)
    : new NetworkTrouble('proxy', `The proxy ${shown} refused the user name or the password (407).`, where)
}

export const proxyRefused = (proxy: ProxyAddress, target: string, status: string): NetworkTrouble =>
  new NetworkTrouble(
    'proxy',
    `The proxy ${shownProxy(proxy)} does not let Deckhand connect to ${target} (${status}).`,
    `The proxy is named by ${proxy.from}. Whoever runs it decides what may pass; NO_PROXY names what needs no proxy.`,
  )

/** The answer to a request that a proxy took itself, where the proxy says that it is its own; null otherwise. */
export const answerOfProxy = (
  proxy: ProxyAddress,
  host: string,
  status: number,
  header: (name: string) => string | string[] | null | undefined,
): NetworkTrouble | null => {
  const own = status >= 400 && (header('x-squid-error') || /\berror=/.test(String(header('proxy-status') ?? '')))
  return own ? proxyRefused(proxy, host, String(status)) : null
}

/** A refusal of a request that a proxy took itself, of which nothing says whose it is. */
export const refusedByEither = (proxy: ProxyAddress, host: string, status: number): NetworkTrouble =>
  new NetworkTrouble(
    'proxy',
    `The request was refused (${status}), by ${host} or by the proxy ${shownProxy(proxy)} on the way to it.`,
    `Without https it cannot be told by which. The proxy is named by ${proxy.from}; NO_PROXY names what needs no proxy.`,
  )

const certificateWords = new Map([
  ['CERT_HAS_EXPIRED', 'has expired'],
  ['CERT_NOT_YET_VALID', 'is not valid yet; is the clock of this computer right?'],
  ['CERT_REVOKED', 'was revoked'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'belongs to another name'],
])

export const hasUnknownIssuer = (error: unknown): boolean => unknownIssuer.has(codeOf(error))

/** What is wrong with the certificate of a host; null if the error is about something else. */
export function certificateTrouble(error: unknown, host: string, note = ''): NetworkTrouble | null {
  const code = codeOf(error)
  const cause = { cause: error }
  if (unknownIssuer.has(code))
    return new NetworkTrouble(
      'certificate',
      `The certificate of ${host} is signed by an authority that this computer does not know (${code}).`,
      `If your network checks encrypted traffic, its own root certificate is missing here: save it as a PEM file and name that under Settings → Network or in NODE_EXTRA_CA_CERTS.${note && ` ${note}`}`,
      cause,
    )
  const words = certificateWords.get(code)
  if (!words) return null
  return new NetworkTrouble(
    'certificate',
    `The certificate of ${host} ${words} (${code}).`,
    'Nothing was sent. Only whoever runs that server, or a device on the way to it, can mend that.',
    cause,
  )
}

/** The system's code, which `fetch` hides one or two causes down. */
export function codeOf(error: unknown): string {
  let at = error
  for (let depth = 0; depth < 5 && at instanceof Error; depth++) {
    if ('code' in at && typeof at.code === 'string' && at.code !== '') return at.code
    at = at.cause
  }
  return ''
}

/** Ours, wherever it is wrapped. */
export function troubleIn(error: unknown): NetworkTrouble | null {
  let at = error
  for (let depth = 0; depth < 5 && at instanceof Error; depth++) {
    if (at instanceof NetworkTrouble) return at
    at = at.cause
  }
  return null
}

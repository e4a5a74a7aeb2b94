import ipaddr from 'ipaddr.js'

/** Names of this machine, the local network, or cloud metadata services, which hold credentials. */
const localNames =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|localdomain|home\.arpa|onion|invalid|test-local|svc|cluster|private|consul)$/
const metadataNames = new Set(['metadata', 'metadata.goog', 'metadata.google.internal', 'instance-data', 'kubernetes'])

/**
 * Why a request must not go to this address; `null` if it is on the public internet. IPv6 addresses that contain an
 * IPv4 address are checked by that one.
 */
export function addressTrouble(address: string): string | null {
  if (!ipaddr.isValid(address)) return `${address} is no address`
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return rangeTrouble(address, parsed.range())
  if (parsed.zoneId) return `${address} belongs to one network only`
  const carried = carriedV4(parsed)
  if (carried)
    return (
      rangeTrouble(address, carried.range()) ?? (parsed.range() === 'unicast' ? `${address} is an obsolete form` : null)
    )
  // All public IPv6 addresses are in 2000::/3.
  const first = parsed.parts[0] ?? 0
  return (first & 0xe000) === 0x2000
    ? rangeTrouble(address, parsed.range())
    : `${address} is not on the public internet`
}

const rangeTrouble = (address: string, range: string): string | null =>
  range === 'unicast' || range === 'ipv4Mapped' ? null : `${address} is not on the public internet (${range})`

/** IPv4-mapped, IPv4-compatible, NAT64 (well-known and local), 6to4 and Teredo. */
function carriedV4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const { parts } = address
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = parts
  const last = (): ipaddr.IPv4 => new ipaddr.IPv4([g >> 8, g & 255, h >> 8, h & 255])
  if (a === 0 && b === 0 && c === 0 && d === 0 && (e === 0 || e === 0xffff) && (f === 0xffff || f === 0)) return last()
  if (a === 0x64 && b === 0xff9b) return last()
  if (a === 0x2002) return new ipaddr.IPv4([b >> 8, b & 255, c >> 8, c & 255])
  return null
}

/** The same check for the host of a URL, before its name is resolved. */
export function hostTrouble(hostname: string): string | null {
  const host = hostname.toLowerCase().replace(/\.+$/, '')
  if (host === '') return 'the address names no host'
  const literal = host.startsWith('[') ? host.slice(1, -1) : host
  if (ipaddr.isValid(literal)) return addressTrouble(literal)
  if (host.startsWith('[')) return `${host} is no address`
  if (metadataNames.has(host) || localNames.test(host) || !host.includes('.'))
    return `${host} is a name of the local network`
  return null
}

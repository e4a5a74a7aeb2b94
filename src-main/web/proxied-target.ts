import { isIP } from 'node:net'
import { addressTrouble, hostTrouble } from './addresses'
import { WebError } from './errors'
import type { Resolve } from './guarded-fetch'

/**
 * What a proxy is asked to connect to for a host on the public internet. The proxy looks names up by itself, and may
 * find another address than we did, inside of its own network. So:
 * - A name that leads to a private address here is refused, as without a proxy.
 * - Over https the proxy is given the name: a server inside cannot show a certificate for it, and nothing is sent before.
 * - Over http nothing would protect what is inside, so the proxy is given the very address that was checked. A name that
 *   cannot be looked up here cannot be fetched without encryption.
 */
export const proxiedTarget =
  (resolve: Resolve) =>
  async (host: string, protocol: string): Promise<string> => {
    const refused = hostTrouble(isIP(host) === 6 ? `[${host}]` : host)
    if (refused !== null) throw new WebError('refused', `${refused}, and fetching from there is not allowed`)
    if (isIP(host) !== 0) return host
    const addresses = await resolve(host).catch(() => [])
    const trouble = addresses.map(({ address }) => addressTrouble(address)).find((found) => found !== null)
    if (trouble) throw new WebError('refused', `${host} leads to an address that is not allowed: ${trouble}`)
    if (protocol === 'https:') return host
    const [first] = addresses
    if (first) return first.address
    throw new WebError(
      'refused',
      `only the proxy can look up ${host}, so it cannot be checked where it leads; use https:// instead`,
    )
  }

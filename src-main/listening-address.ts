import type { AddressInfo, Server } from 'node:net'

/** Where a server listens that was opened on a port. */
export function listeningAddress(server: Pick<Server, 'address'>): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  return address
}

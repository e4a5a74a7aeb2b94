import type { Transport } from '@modelcontextprotocol/client'
import type { ConnectionOptions } from './connection-types'
import { limitedFetch } from './limited-fetch'
import { transportOf } from './server-config'
import { serverEnv } from './server-env'
import { stdioTransport } from './stdio-transport'

/** Opens the transport to a server: a local program or an address. */
export async function openTransport(
  options: ConnectionOptions,
): Promise<Transport & { readonly pid?: number | undefined }> {
  const { config, secrets, auth, cwd, log } = options
  if (transportOf(config) === 'stdio') {
    return stdioTransport({
      command: config.command?.trim() ?? '',
      args: config.args ?? [],
      cwd: config.cwd || cwd,
      env: serverEnv(process.env, { ...config.env, ...secrets.env }),
      onStderr: (line) => log('stderr', line),
    })
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const headers = { ...config.headers, ...secrets.headers }
  // A user who has set a key is not asked to sign in as well.
  const hasKey = Object.keys(headers).some((name) => /^authorization$/i.test(name))
  return new StreamableHTTPClientTransport(new URL(config.url ?? ''), {
    requestInit: { headers },
    redirectPolicy: 'same-origin',
    fetch: limitedFetch(options.fetch),
    ...(!hasKey && { authProvider: auth }),
  })
}

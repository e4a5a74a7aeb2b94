import type { Transport } from '@modelcontextprotocol/client'
import type { ConnectionOptions } from './connection-types'
import { transportOf } from './server-config'
import { stdioTransport } from './stdio-transport'

/** Variables that any program needs; a server gets no others except those configured for it. */
const inherited =
  /^(?:HOME|LOGNAME|PATH|SHELL|TERM|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|APPDATA|LOCALAPPDATA|HOMEDRIVE|HOMEPATH|PATHEXT|PROGRAMFILES|PROGRAMDATA|SYSTEMDRIVE|SYSTEMROOT|USERNAME|USERPROFILE|COMSPEC)$/i

/** Responses are not read beyond this size. */
const maxAnswerBytes = 32 * 1024 * 1024

/** Opens the transport to a server: a local program or an address. */
export async function openTransport(
  options: ConnectionOptions,
  onEnding: (why: string) => void,
): Promise<Transport & { readonly pid?: number | undefined }> {
  const { config, secrets, auth, cwd, log } = options
  if (transportOf(config) === 'stdio') {
    return stdioTransport({
      command: config.command?.trim() ?? '',
      args: config.args ?? [],
      cwd: config.cwd || cwd,
      env: serverEnv(process.env, { ...config.env, ...secrets.env }),
      onStderr: (line) => log('stderr', line),
      onEnding,
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

/** `fetch` that limits the size of responses to POST requests. Long-lived event streams are not limited. */
const limitedFetch =
  (fetchBy: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await fetchBy(input, init)
    if (init?.method?.toUpperCase() !== 'POST' || !response.body) return response
    let bytes = 0
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length
        if (bytes > maxAnswerBytes) controller.error(new Error('The answer of the server is too long'))
        else controller.enqueue(chunk)
      },
    })
    return new Response(response.body.pipeThrough(limit), response)
  }

/** The environment of a server, without our keys or those of the user's shell. */
function serverEnv(
  base: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(base)) {
    // An exported shell function would be defined in every shell that the server starts.
    if (value !== undefined && inherited.test(name) && !value.startsWith('()')) env[name] = value
  }
  return { ...env, ...own }
}

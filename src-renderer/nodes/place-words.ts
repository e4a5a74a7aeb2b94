import type { BackendPlace } from '../../src-preload/contract/backends'
import type { CallInput } from '../../src-preload/contract/ipc'
import { nodeNameError } from './node-words'

/** What the form for a place holds, for all kinds at once. */
export interface PlaceDraft {
  kind: BackendPlace['kind']
  name: string
  host: string
  port: string
  container: string
  distribution: string
  session: string
  tmux: boolean
}

type PlaceField = 'name' | 'host' | 'port' | 'container' | 'distribution' | 'session'

export type PlaceErrors = Partial<Record<PlaceField, string>>

export function placeErrors(draft: PlaceDraft, taken: string[]): PlaceErrors {
  const name = draft.name.trim() ? nodeNameError(draft.name.trim(), taken) : undefined
  return { ...(name && { name }), ...ownErrors(draft) }
}

function ownErrors({ kind, host, port, container, distribution, session }: PlaceDraft): PlaceErrors {
  if (kind === 'ssh') {
    const wrongHost = !/^[^\s-]\S*$/.test(host.trim())
    const wrongPort = port.trim() !== '' && !isPort(port.trim())
    return {
      ...(wrongHost && { host: 'Enter a host, such as me@server.' }),
      ...(wrongPort && { port: 'Enter a number from 1 to 65535.' }),
    }
  }
  if (kind === 'container')
    return /^[^\s-]\S*$/.test(container.trim()) ? {} : { container: 'Enter the name of a running container.' }
  if (kind === 'wsl')
    return /^[^\s"-][^\s"]*$/.test(distribution.trim()) ? {} : { distribution: 'Enter the name of a distribution.' }
  return session.trim() === '' || /^[\w-]{1,64}$/.test(session.trim())
    ? {}
    : { session: 'Use letters, digits, dashes and underscores.' }
}

const isPort = (text: string) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535

const engines = ['docker', 'podman', 'kubectl'] as const

/** The place that a draft without errors means. */
export function placeOf(draft: PlaceDraft): CallInput<'backend.add'>['place'] {
  const { kind, host, port, container, distribution, session, tmux } = draft
  if (kind === 'wsl') return { kind, name: distribution.trim() }
  if (kind === 'ssh') {
    // The port may be written behind the host, as on the command line.
    const [, name = host.trim(), behind] = /^([^\s:]+):(\d{1,5})$/.exec(host.trim()) ?? []
    const number = port.trim() || behind
    return { kind, host: name, ...(number ? { port: Number(number) } : {}) }
  }
  if (kind === 'container') {
    const [, before, name] = /^(\w+):(.+)$/.exec(container.trim()) ?? []
    const engine = engines.find((each) => each === before)
    return {
      kind,
      name: (engine && name) ?? container.trim(),
      ...(engine ? { engine } : {}),
      ...(tmux ? { tmux: true as const } : {}),
    }
  }
  return { kind, tmux: session.trim() || true }
}

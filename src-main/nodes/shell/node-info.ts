import type { BackendPlace } from '../../../src-preload/contract/backends'
import type { NodeInfo } from '../../../src-preload/contract/nodes'
import type { NodeConnection } from './node-connection'

/** A machine as the window and the models see it: an ordinary node with some additional facts. */
export function nodeInfoOf(
  link: Pick<NodeConnection, 'row' | 'open' | 'connecting' | 'problem' | 'connectedAt' | 'latencyMs'>,
  host: { version: string; tools: readonly string[]; capabilities: readonly string[]; processes: number },
): NodeInfo {
  const { row, open, connecting, problem, connectedAt, latencyMs } = link
  const session = open?.session ?? null
  return {
    id: row.id,
    local: false,
    state: open ? 'connected' : 'disconnected',
    role: 'execution',
    primary: false,
    os: open?.facts.os ?? null,
    hostname: open?.facts.hostname ?? null,
    version: null,
    workspace: open?.facts.workspace ?? null,
    tools: open ? [...host.tools] : [],
    capabilities: open ? [...host.capabilities] : [],
    newCapabilities: [],
    envKeys: open?.facts.envKeys ?? [],
    bins: {},
    binsCheckedAt: null,
    latencyMs,
    address: null,
    processes: host.processes,
    addedAt: row.addedAt,
    connectedAt,
    lastSeenAt: open ? Date.now() : null,
    problem,
    backend: {
      place: row.place,
      label: labelOf(row.place),
      connecting,
      attach: session === null ? null : attachCommand(row.place, session),
    },
  }
}

/** Its name in questions. */
function labelOf(place: BackendPlace): string {
  if (place.kind === 'local') return 'tmux on this machine'
  if (place.kind === 'container') return `container:${place.name}`
  if (place.kind === 'wsl') return `wsl:${place.name}`
  return `ssh ${place.host}${place.port === undefined ? '' : `:${place.port}`}`
}

function attachCommand(place: BackendPlace, session: string): string {
  const attach = `tmux attach -t ${session}`
  if (place.kind === 'local') return attach
  if (place.kind === 'container') return `${place.engine ?? 'docker'} exec -it ${place.name} ${attach}`
  if (place.kind === 'wsl') return `wsl -d ${place.name} -e ${attach}`
  return `ssh -t ${place.port === undefined ? '' : `-p ${place.port} `}${place.host} ${attach}`
}

/** A free id derived from the place. */
export function freeId(place: BackendPlace, trouble: (id: string) => string | null): string {
  const name =
    place.kind === 'local'
      ? 'tmux'
      : place.kind === 'container' || place.kind === 'wsl'
        ? place.name
        : place.host.replace(/^.*@/, '')
  const base =
    name
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 40) || place.kind
  for (let count = 1; ; count++) {
    const id = count === 1 ? base : `${base}-${count}`
    if (!trouble(id)) return id
  }
}

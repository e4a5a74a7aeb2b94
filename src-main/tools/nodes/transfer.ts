import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { contentTypeOf } from '../../agents/own-files'
import type { Access, PathAccess } from '../../approval/types'
import type { Transfers } from '../../gateway/transfer'
import type { NodeRegistry } from '../../nodes/registry'
import { inputShape } from '../input'
import { type ObjectTool, present } from '../object-tool'

interface TransferDeps {
  transfers?: Transfers | null
  registry?: NodeRegistry | null
  agentOf(sessionId: string): string
}

const shape = inputShape(() =>
  z.object({
    source: z.string().min(1).describe('`{nodeId}:/path/to/file` or `gsv:workspace/path`'),
    destination: z.string().min(1).describe('The same forms'),
  }),
)

/** Copies one file from one place to another; done when the last byte has arrived. */
export function createTransferTool(deps: TransferDeps): ObjectTool<ReturnType<typeof shape.parse>> {
  const localPath = (endpoint: string): string | null => {
    const at = endpoint.indexOf(':')
    const path = endpoint.slice(at + 1)
    return at > 0 && deps.registry?.isLocal(endpoint.slice(0, at)) && isAbsolute(path) ? path : null
  }

  return {
    description:
      "Copy a file between nodes, or between a node and the agent's own files (`gsv:`). Missing folders are made. Returns when all of it has arrived.",
    ...shape,
    readOnly: false,
    access: ({ source, destination }, { workspace }): Access => {
      const [from, to] = [localPath(source), localPath(destination)]
      const paths: PathAccess[] = [
        ...(from === null ? [] : [{ path: from, access: 'read' as const }]),
        ...(to === null ? [] : [{ path: to, access: 'write' as const }]),
      ]
      // To the gate, everything that is not on this machine is another host, including the agent's own files.
      const hosts = [source, destination]
        .filter((end) => localPath(end) === null)
        .map((end) => end.split(':')[0] ?? end)
      const base = { action: 'network', node: 'gsv', cwd: workspace, workspace, toolKey: 'node.transfer' } as const
      return { ...base, ...(paths.length > 0 && { paths }), ...(hosts.length > 0 && { hosts: [...new Set(hosts)] }) }
    },
    gist: ({ source, destination }) => `${source} → ${destination}`,
    async execute({ source, destination }, { sessionId, callId, signal, show }) {
      const moved = await present(deps.transfers).run({
        source,
        destination,
        agentId: deps.agentOf(sessionId),
        sessionId,
        callId,
        signal,
        onProgress: ({ bytes, size }) =>
          show(
            { type: 'text', text: `${source} → ${destination}` },
            size === null ? `${bytes} bytes` : `${bytes} of ${size} bytes`,
          ),
      })
      // Text types cannot be told by content; for the agent's own files the name says whether it is Markdown or JSON.
      const isText = moved.mime === undefined || moved.mime === 'text/plain'
      return source.startsWith('gsv:') && isText ? { ...moved, mime: contentTypeOf(source) } : moved
    },
  }
}

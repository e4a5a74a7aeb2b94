import type { ReadTextFileRequest } from '@agentclientprotocol/sdk'
import type { Access } from '../../approval/types'
import { decodeText } from '../../changes/text-encoding'
import { localFiles } from '../../nodes/files/local-files'
import { accessToOne, resolvePath } from '../../tools/files/paths'
import { type Tool, ToolFailure } from '../../tools/tool'

/** Files for hosted agents; the protocol only knows text. */

export const readAccess = (path: string, workspace: string): Access => accessToOne('read', path, 'local', workspace)

export async function readText(request: ReadTextFileRequest, workspace: string, signal: AbortSignal): Promise<string> {
  const path = resolvePath(request.path, workspace)
  const decoded = decodeText(await localFiles.read(path, { signal }))
  if (decoded === null) throw new ToolFailure('ExecutionFailed', `${path} is not a text.`)
  const { line, limit } = request
  if (!line && !limit) return decoded.text
  const from = Math.max(0, (line ?? 1) - 1)
  return decoded.text
    .split('\n')
    .slice(from, limit ? from + limit : undefined)
    .join('\n')
}

/** For a read that the gate asks about; `got` receives the text. */
export const readTool = (request: ReadTextFileRequest, got: (text: string) => void): Tool => ({
  description: '',
  schema: { type: 'object' },
  foreignSchema: true,
  parse: (raw) => raw,
  readOnly: true,
  access: (_, { workspace }) => readAccess(request.path, workspace),
  gist: () => request.path,
  run: async (_, { workspace, signal }) => {
    const text = await readText(request, workspace, signal)
    got(text)
    const lines = text.split('\n').length
    const shown = text.slice(0, 20_000)
    return {
      content: [{ type: 'text', text }],
      display: {
        type: 'file',
        path: request.path,
        startLine: request.line ?? 1,
        lines,
        text: shown,
        ...(shown !== text && { truncated: true }),
      },
    }
  },
})

import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Content } from '../../src-preload/contract/content'
import type { FileDiff } from '../../src-preload/contract/file-diff'
import { fileDiff } from '../changes/file-diff'
import { errorText } from '../error-text'
import { isRecord } from '../is-record'
import type { McpTool } from '../mcp/catalogue'
import type { Mcp } from '../mcp/mcp'
import type { AskUser } from '../mcp/server-questions'
import { shownName } from '../mcp/tool-definition'
import { visibleText } from '../web/invisible'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from './tool'

const maxTextChars = 4_000_000
const maxShownChars = 50_000

/** The tools of all servers, with those of a folder if given, created once for each state of the servers. */
export function createMcpTools(
  mcp: Pick<Mcp, 'tools'>,
  taint?: (sessionId: string) => void,
): (folder?: string) => ReadonlyMap<string, Tool> {
  const made = new WeakMap<ReadonlyMap<string, McpTool>, ReadonlyMap<string, Tool>>()
  return (folder) => {
    const now = mcp.tools(folder)
    const known = made.get(now) ?? new Map([...now].map(([name, tool]) => [name, mcpTool(tool, taint)]))
    made.set(now, known)
    return known
  }
}

/** A server's tool, handled like any other: its effects are unknown, so it is allowed by name. */
function mcpTool(tool: McpTool, taint?: (sessionId: string) => void): Tool<Record<string, unknown>> & Tool {
  const { definition, server, change } = tool
  return {
    description: definition.description || `${shownName(definition.name)} of ${server}`,
    schema: { properties: {}, ...definition.schema },
    foreignSchema: true,
    parse(raw) {
      if (isRecord(raw)) return raw
      throw new ToolFailure('InvalidArgs', 'The arguments must be a JSON object')
    },
    readOnly: false,
    access: (input: unknown, { workspace }) => ({
      action: tool.transport === 'http' ? 'network' : 'exec',
      node: 'local',
      cwd: workspace,
      workspace,
      toolKey: tool.key,
      shown: JSON.stringify(input, null, 2).slice(0, maxShownChars),
      ...(change && { flagged: 'The definition of this tool has changed since it was last accepted' }),
    }),
    gist: (input: unknown) => JSON.stringify(input).slice(0, 160),
    ...(change && { preview: async (): Promise<FileDiff[]> => [fileDiff(tool.fullName, change.before, change.after)] }),
    async run(input: unknown, { signal, show, sessionId, workspace, askForm }) {
      const onProgress = (progress: string): void => show({ type: 'text', text: '' }, progress.slice(0, 200))
      const result = await tool
        .call(input as Record<string, unknown>, {
          signal,
          folder: workspace,
          onProgress,
          ask: askForm && asked(askForm),
        })
        .catch((error: unknown) => {
          if (signal.aborted) throw signal.reason
          // The words are often the server's own, and reach the model as a result does.
          taint?.(sessionId)
          throw new ToolFailure('ExecutionFailed', visibleText(errorText(error).slice(0, 2000)))
        })
      taint?.(sessionId)
      return render(result)
    },
  }
}

/** The user's answer in the terms of the protocol. */
const asked =
  (askForm: NonNullable<ToolContext['askForm']>): AskUser =>
  async (title, form, signal) => {
    const values = await askForm(title, form, signal)
    return values ? { action: 'accept', content: values } : { action: values === null ? 'cancel' : 'decline' }
  }

/** Texts without invisible characters, images as images, resources with their address. */
function render(result: CallToolResult): ToolResult {
  const parts = (result.content ?? []).map(contentOf)
  const content: Content[] =
    parts.length > 0 || result.structuredContent === undefined
      ? parts
      : [{ type: 'text', text: JSON.stringify(result.structuredContent) }]
  const text = content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
  const image = content.find((part) => part.type === 'image')
  return {
    content: content.length > 0 ? content : [{ type: 'text', text: '(no content)' }],
    display:
      image?.type === 'image'
        ? { type: 'image', path: 'image', mimeType: image.mimeType, data: image.data }
        : { type: 'text', text: text.slice(0, 20_000) },
    ...(result.isError && { isError: true as const }),
  }
}

const shownImages = /^image\/(?:png|jpeg|gif|webp)$/

function contentOf(block: CallToolResult['content'][number]): Content {
  switch (block.type) {
    case 'text':
      return textPart(block.text)
    case 'image':
      return imagePart(block.data, block.mimeType, 'An image')
    case 'audio':
      return textPart(`[Audio (${block.mimeType}), which cannot be shown]`)
    case 'resource_link':
      return textPart(`[Resource ${block.name}: ${block.uri}${block.description ? ` (${block.description})` : ''}]`)
    case 'resource': {
      const { resource } = block
      if ('text' in resource) return textPart(`[Resource ${resource.uri}]\n${resource.text}`)
      return imagePart(resource.blob, resource.mimeType ?? '', `Resource ${resource.uri}`)
    }
  }
}

const textPart = (text: string): Content => ({ type: 'text', text: visibleText(text.slice(0, maxTextChars)) })

const imagePart = (data: string, mimeType: string, what: string): Content =>
  shownImages.test(mimeType)
    ? { type: 'image', data, mimeType }
    : textPart(`[${what} (${mimeType || 'unknown type'}), which cannot be shown]`)

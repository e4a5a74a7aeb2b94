import type { Resource } from '@modelcontextprotocol/client'
import type { McpResource } from '../../src-preload/contract/mcp'
import type { Attachment } from '../../src-preload/contract/messages'
import { visibleText } from '../web/invisible'
import { shownText } from './tool-definition'

export const shownImages = /^image\/(?:png|jpeg|gif|webp)$/

/** What a message can carry as the name of an attachment. */
const longestName = 400
const mostResources = 500
const maxTextChars = 1_000_000
const maxImageChars = 27_000_000

/** The resources of a server, as the window lists them. */
export const cleanResources = (server: string, list: readonly Resource[]): McpResource[] =>
  list.slice(0, mostResources).map(({ uri, name, title, description, mimeType, size }) => ({
    server,
    uri,
    name: shownText(title ?? name, 100) || uri,
    description: shownText(description ?? '', 200),
    mimeType: mimeType ?? '',
    size,
  }))

/** A resource as an attachment: an image, or text. Throws for anything else. */
export function attachmentOf(resource: { uri: string; mimeType?: string | undefined } & Contents): Attachment {
  const { mimeType = '' } = resource
  // A server may put anything into it, and of any length.
  const uri = shownText(resource.uri, longestName)
  if ('text' in resource && typeof resource.text === 'string') {
    const text = visibleText(resource.text)
    if (text.length > maxTextChars) throw new Error(`${uri} is longer than a message can carry (1 MB).`)
    return { name: uri, mimeType: 'text/plain', data: text }
  }
  const blob = 'blob' in resource && typeof resource.blob === 'string' ? resource.blob : ''
  if (shownImages.test(mimeType)) {
    if (blob.length > maxImageChars) throw new Error(`${uri} is larger than a message can carry (20 MB).`)
    return { name: uri, mimeType, data: blob }
  }
  const bytes = Buffer.from(blob, 'base64')
  const text = bytes.toString('utf8')
  // Some servers send text as bytes.
  if (bytes.length > maxTextChars || text.includes('\0') || text.includes('\uFFFD'))
    throw new Error(
      `${uri} (${mimeType || 'of an unknown type'}) is neither text nor an image, so it cannot be attached.`,
    )
  return { name: uri, mimeType: 'text/plain', data: visibleText(text) }
}

type Contents = { text: string } | { blob: string } | Record<never, never>

import type { ContentBlock } from '@agentclientprotocol/sdk'
import type { Attachment } from '../../src-preload/contract/messages'

/** What a client sends, as a message of ours: its words, and files and images as attachments. */
export function promptParts(prompt: readonly ContentBlock[]): { text: string; attachments: Attachment[] } {
  const words: string[] = []
  const attachments: Attachment[] = []
  for (const block of prompt) {
    switch (block.type) {
      case 'text':
        words.push(block.text)
        break
      case 'image':
        attachments.push({ name: 'image', mimeType: block.mimeType, data: block.data })
        break
      case 'resource_link':
        words.push(`[${block.name}](${block.uri})`)
        break
      case 'resource':
        if ('text' in block.resource)
          attachments.push({ name: block.resource.uri, mimeType: 'text/plain', data: block.resource.text })
        break
      case 'audio':
        words.push('[A recording, which cannot be heard here]')
    }
  }
  return { text: words.join('\n'), attachments }
}

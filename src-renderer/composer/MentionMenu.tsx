import { File, Folder, MessageSquare, Plug, SquareTerminal } from 'lucide-react'
import { visible } from '../state/format'
import { Offer, OfferList } from './OfferList'
import type { Mentions } from './use-mentions'

export const mentionList = 'composer-mentions'
export const mentionOption = (at: number): string => `${mentionList}-${at}`

const icons = { file: File, folder: Folder, terminal: SquareTerminal, session: MessageSquare, resource: Plug }
const kinds = { file: 'File', folder: 'Folder', terminal: 'Terminal', session: 'Session', resource: 'MCP resource' }

/** What an `@` can name, above the message box. */
export function MentionMenu({ mentions: { items, at, choose } }: { mentions: Mentions }) {
  if (items.length === 0) return null
  return (
    <OfferList id={mentionList} label="Mention" at={at}>
      {items.map((item, index) => {
        const Icon = icons[item.kind]
        return (
          <Offer
            key={`${item.kind} ${item.id}`}
            id={mentionOption(index)}
            selected={index === at}
            onChoose={() => choose(item)}
          >
            <Icon className="composer-mention-icon" size={14} aria-hidden />
            <span className="ui-cut composer-slash-name">{visible(item.label)}</span>
            <span className="ui-cut composer-slash-words">{visible(item.detail)}</span>
            <span className="ui-quiet composer-slash-from">{kinds[item.kind]}</span>
          </Offer>
        )
      })}
    </OfferList>
  )
}

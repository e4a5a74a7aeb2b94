import { File, Folder, MessageSquare, Plug, SquareTerminal } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { visible } from '../state/format'
import type { Mentions } from './use-mentions'

export const mentionList = 'composer-mentions'
export const mentionOption = (at: number): string => `${mentionList}-${at}`

const icons = { file: File, folder: Folder, terminal: SquareTerminal, session: MessageSquare, resource: Plug }
const kinds = { file: 'File', folder: 'Folder', terminal: 'Terminal', session: 'Session', resource: 'MCP resource' }

/** What an `@` can name, above the message box. */
export function MentionMenu({ mentions: { items, at, choose } }: { mentions: Mentions }) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  if (items.length === 0) return null
  return (
    <div ref={list} id={mentionList} className="composer-slash" role="listbox" aria-label="Mention">
      {items.map((item, index) => {
        const Icon = icons[item.kind]
        return (
          // biome-ignore lint/a11y/useFocusableInteractive: the keyboard stays in the message box
          // biome-ignore lint/a11y/useKeyWithClickEvents: the message box handles the keys
          <div
            key={`${item.kind} ${item.id}`}
            id={mentionOption(index)}
            className="composer-slash-item"
            role="option"
            aria-selected={index === at}
            // The message box keeps the keyboard.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(item)}
          >
            <Icon className="composer-mention-icon" size={14} aria-hidden />
            <span className="ui-cut composer-slash-name">{visible(item.label)}</span>
            <span className="ui-cut composer-slash-words">{visible(item.detail)}</span>
            <span className="ui-quiet composer-slash-from">{kinds[item.kind]}</span>
          </div>
        )
      })}
    </div>
  )
}

import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { setDraft } from '../state/message-actions'
import { getState } from '../state/store'
import { attempt } from '../state/toasts'
import { mentionAt, mentioned, openPath, replaceMention } from './mention'
import { attachMentioned, type MentionItem, mentionItems } from './mention-items'
import { keyForOffers } from './offer-keys'

export interface Mentions {
  /** What fits the word behind the `@`; empty while there is nothing to choose. */
  items: MentionItem[]
  /** The place of the one that Enter chooses. */
  at: number
  choose(item: MentionItem): void
  /** To be told where the caret is. */
  onCaret(): void
  /** True: the key was for the list, and means nothing else. */
  onKeyDown(event: KeyboardEvent): boolean
}

/** Offers files, folders, terminals, sessions and resources of MCP servers for the word behind an `@`. */
export function useMentions(sessionId: string, text: string, field: RefObject<HTMLTextAreaElement | null>): Mentions {
  const [caret, setCaret] = useState(0)
  const [items, setItems] = useState<MentionItem[]>([])
  const [at, setAt] = useState(0)
  /** The place of the `@` whose list was closed. */
  const [dismissed, setDismissed] = useState<number | null>(null)
  const found = mentionAt(text, Math.min(caret, text.length))
  const mention = found && found.from !== dismissed ? found : null
  const word = mention?.word

  useEffect(() => {
    setAt(0)
    if (word === undefined) return setItems([])
    const asked = new AbortController()
    attempt(mentionItems(sessionId, word, (some) => void (!asked.signal.aborted && setItems(some))))
    return () => asked.abort()
  }, [sessionId, word])
  const none = found === null
  useEffect(() => {
    if (none) setDismissed(null)
  }, [none])

  const replace = (by: string): void => {
    if (!mention) return
    const now = replaceMention(getState().drafts[sessionId] ?? '', mention, by)
    setDraft(sessionId, now.text)
    setCaret(now.caret)
    requestAnimationFrame(() => field.current?.setSelectionRange(now.caret, now.caret))
  }
  const choose = (item: MentionItem, deeper = false): void => {
    // An open quote goes on as well as a path without one.
    if ('path' in item) {
      replace(item.kind === 'folder' && deeper ? openPath(item.path) : `${mentioned(item.path)} `)
      return
    }
    replace(`${item.words} `)
    attempt(attachMentioned(sessionId, item))
  }

  const onKeyDown = (event: KeyboardEvent): boolean =>
    keyForOffers(event, {
      items,
      at,
      setAt,
      dismiss: () => setDismissed(mention?.from ?? null),
      choose: (item, key) => {
        // Tab steps into a folder; Enter names the folder itself.
        choose(item, key === 'Tab')
        return true
      },
    })

  return {
    items: mention ? items : [],
    at: Math.min(at, Math.max(0, items.length - 1)),
    choose: (item) => choose(item),
    onCaret: () => setCaret(field.current?.selectionStart ?? 0),
    onKeyDown: (event) => (mention ? onKeyDown(event) : false),
  }
}

import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { setDraft } from '../state/message-actions'
import { getState } from '../state/store'
import { attempt } from '../state/toasts'
import { mentionAt, mentioned, openPath, replaceMention } from './mention'
import { attachMentioned, type MentionItem, mentionItems } from './mention-items'
import { keyForOffers } from './offer-keys'

export interface Mentions {
  /** What matches the word after the `@`; empty while there is nothing to choose. */
  items: MentionItem[]
  /** The index of the entry that Enter chooses. */
  at: number
  choose(item: MentionItem): void
  /** Call when the caret may have moved. */
  onCaret(): void
  /** Returns true if the key was for the list. */
  onKeyDown(event: KeyboardEvent): boolean
}

/** Suggests files, folders, terminals, sessions and resources of MCP servers for the word after an `@`. */
export function useMentions(sessionId: string, text: string, field: RefObject<HTMLTextAreaElement | null>): Mentions {
  const [caret, setCaret] = useState(0)
  const [items, setItems] = useState<MentionItem[]>([])
  const [at, setAt] = useState(0)
  /** The position of the `@` whose list was closed. */
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
    // At once: the next key may come before the next frame, and would be typed elsewhere.
    flushSync(() => {
      setDraft(sessionId, now.text)
      setCaret(now.caret)
    })
    field.current?.setSelectionRange(now.caret, now.caret)
  }
  const choose = (item: MentionItem, deeper = false): void => {
    // The path of a folder stays open, so that the next part can be typed.
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
        // Tab goes into a folder; Enter names the folder itself.
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

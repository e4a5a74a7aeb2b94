import { type KeyboardEvent, useEffect, useState } from 'react'
import { readSlash, type SlashCommand } from '../../src-preload/contract/slash'
import { call } from '../state/bridge'
import { setDraft } from '../state/message-actions'
import { attempt } from '../state/toasts'
import { keyForOffers } from './offer-keys'
import { matchingCommands } from './slash-match'

export interface Slash {
  /** The commands that match the start of the draft; empty while there is nothing to choose. */
  matches: SlashCommand[]
  /** The index of the entry that Enter chooses. */
  at: number
  /** The command that the draft starts with, once its name is complete. */
  typed: SlashCommand | undefined
  choose(command: SlashCommand): void
  /** Returns true if the key was for the list. */
  onKeyDown(event: KeyboardEvent): boolean
}

/** Suggests commands while the first word of a draft is being typed. */
export function useSlash(sessionId: string, text: string): Slash {
  const [known, setKnown] = useState<SlashCommand[]>([])
  const [at, setAt] = useState(0)
  const [dismissed, setDismissed] = useState(false)
  const begins = text.startsWith('/')
  const word = /^\/(\S*)$/.exec(text)?.[1]

  useEffect(() => {
    setDismissed(false)
    if (!begins) return
    let open = true
    attempt(call('slash.list', { sessionId }).then((commands) => void (open && setKnown(commands))))
    return () => {
      open = false
    }
  }, [begins, sessionId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another word, another list
  useEffect(() => setAt(0), [word])

  const matches = word === undefined || dismissed ? [] : matchingCommands(known, word)
  const choose = (command: SlashCommand): void => setDraft(sessionId, `/${command.name} `)
  const name = begins ? readSlash(text)?.name : undefined

  const onKeyDown = (event: KeyboardEvent): boolean =>
    keyForOffers(event, {
      items: matches,
      at,
      setAt,
      dismiss: () => setDismissed(true),
      choose: (command, key) => {
        // A complete name that needs no arguments is sent.
        if (key === 'Enter' && command.name === word && !command.hint.includes('<')) return false
        choose(command)
        return true
      },
    })

  return {
    matches,
    at: Math.min(at, Math.max(0, matches.length - 1)),
    typed: matches.length === 0 ? known.find((command) => command.name === name) : undefined,
    choose,
    onKeyDown,
  }
}

import { type RefObject, useEffect, useRef, useState } from 'react'
import { getState, setState, useDeckhand } from '../state/store'

/**
 * Goes to the message of a search hit, a notification or a waiting question, once, and returns the id of the message to
 * highlight for a moment. `scrollTo` gets the message's position in the transcript.
 */
export function useAim(
  sessionId: string,
  section: RefObject<HTMLElement | null>,
  scrollTo: (at: number) => void,
): string | null {
  const [flash, setFlash] = useState<string | null>(null)
  const aimed = useDeckhand((state) => state.aimedMessage)
  const at = useDeckhand((state) =>
    state.aimedMessage
      ? (state.transcripts[sessionId]?.messages.findLastIndex((message) => message.id === state.aimedMessage?.id) ?? -1)
      : -1,
  )
  const scroll = useRef(scrollTo)
  scroll.current = scrollTo

  useEffect(() => {
    if (!aimed || at < 0) return
    setState({ aimedMessage: null })
    setFlash(aimed.id)
    // The list hides its rows until it has measured them: until then a jump misses and a card cannot take the focus.
    const follow = () => {
      if (!section.current) return
      const row = section.current.querySelector('[data-message]')
      if (!row?.checkVisibility({ visibilityProperty: true })) return void requestAnimationFrame(follow)
      scroll.current(at)
      const question = getState().aimedQuestion
      if (question?.at === aimed.at) setState({ aimedQuestion: { ...question, at: Date.now() } })
    }
    requestAnimationFrame(follow)
  }, [aimed, at, section])

  useEffect(() => {
    if (flash === null) return
    const timer = setTimeout(() => setFlash(null), 2000)
    return () => clearTimeout(timer)
  }, [flash])
  return flash
}

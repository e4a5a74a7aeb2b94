import { useCallback, useEffect, useRef, useState } from 'react'

/** So close to the end counts as being there. */
const near = 48

interface Follow {
  atEnd: boolean
  /** For the list's `scrollerRef`. */
  attach: (element: HTMLElement | Window | null) => void
  /** To be called when the content has grown or shrunk. */
  onHeight: () => void
  toEnd: () => void
}

/**
 * Keeps a scroller at its end while its content grows, until the user scrolls up, and again once they are back. It goes
 * by the direction in which the user scrolls: the distance alone cannot tell growth from a wish to read further up.
 */
export function useFollow(): Follow {
  const scroller = useRef<HTMLElement | null>(null)
  const following = useRef(true)
  const lastTop = useRef(0)
  const [atEnd, setAtEnd] = useState(true)

  const onHeight = useCallback(() => {
    const element = scroller.current
    if (element && following.current) element.scrollTop = element.scrollHeight
  }, [])

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const distance = element.scrollHeight - element.clientHeight - element.scrollTop
    const up = element.scrollTop < lastTop.current
    lastTop.current = element.scrollTop
    if (up && distance > 2) following.current = false
    else if (distance <= near) following.current = true
    setAtEnd(following.current || distance <= near)
  }, [])

  // The composer below grows and shrinks, and the window too.
  const resizing = useRef<ResizeObserver | null>(null)
  const attach = useCallback(
    (element: HTMLElement | Window | null) => {
      scroller.current?.removeEventListener('scroll', onScroll)
      resizing.current?.disconnect()
      if (!(element instanceof HTMLElement)) return
      scroller.current = element
      element.addEventListener('scroll', onScroll, { passive: true })
      resizing.current = new ResizeObserver(onHeight)
      resizing.current.observe(element)
    },
    [onScroll, onHeight],
  )
  useEffect(() => () => resizing.current?.disconnect(), [])

  const toEnd = useCallback(() => {
    following.current = true
    setAtEnd(true)
    onHeight()
  }, [onHeight])

  return { atEnd, attach, onHeight, toEnd }
}

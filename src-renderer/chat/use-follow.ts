import { useCallback, useEffect, useRef, useState } from 'react'

/** This close to the end counts as being there. */
const near = 48
/** How long a scroll may continue after the user's input. */
const intentMs = 1000
const movingKeys = new Set(['Tab', 'PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown', ' '])

interface Follow {
  atEnd: boolean
  /** For the list's `scrollerRef`. */
  attach: (element: HTMLElement | Window | null) => void
  /** Call when the content has grown or shrunk. */
  onHeight: () => void
  toEnd: () => void
  /** Stops following, because the user is taken somewhere else. */
  leave: () => void
}

/**
 * Keeps a scroller at its end while its content grows, until the user scrolls up, and again once they are back at the
 * end. Only scrolling caused by the user counts: the list also scrolls by itself when rows turn out higher or lower
 * than it had assumed. Unless the `latest` messages are loaded, the end of the list is not the end of the session.
 */
export function useFollow(latest: boolean): Follow {
  const scroller = useRef<HTMLElement | null>(null)
  const following = useRef(true)
  const lastTop = useRef(0)
  const [atEnd, setAtEnd] = useState(true)
  const isLatest = useRef(latest)
  isLatest.current = latest
  const intent = useIntent(scroller)

  const onHeight = useCallback(() => {
    const element = scroller.current
    if (element && following.current && isLatest.current) element.scrollTop = element.scrollHeight
  }, [])

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const distance = element.scrollHeight - element.clientHeight - element.scrollTop
    const up = element.scrollTop < lastTop.current
    lastTop.current = element.scrollTop
    if (up && distance > 2 && intent()) following.current = false
    else if (distance <= near) following.current = true
    else onHeight()
    setAtEnd(following.current || distance <= near)
  }, [intent, onHeight])

  // The composer below grows and shrinks, and so does the window.
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
  const leave = useCallback(() => {
    following.current = false
  }, [])

  return { atEnd, attach, onHeight, toEnd, leave }
}

/** Returns whether the user has just done something that scrolls. */
function useIntent(scroller: { current: HTMLElement | null }): () => boolean {
  const until = useRef(0)
  useEffect(() => {
    const soon = () => {
      until.current = performance.now() + intentMs
    }
    const inside = (event: Event) => event.target instanceof Node && scroller.current?.contains(event.target)
    const onInside = (event: Event) => {
      if (inside(event)) soon()
    }
    // A scroll bar may be held for any time.
    const onDown = (event: Event) => {
      if (inside(event)) until.current = Number.POSITIVE_INFINITY
    }
    const onUp = () => {
      if (until.current === Number.POSITIVE_INFINITY) soon()
    }
    const onKey = (event: KeyboardEvent) => {
      if (movingKeys.has(event.key)) soon()
    }
    const listening = new AbortController()
    const options = { capture: true, passive: true, signal: listening.signal }
    for (const type of ['wheel', 'touchmove', 'focusin']) window.addEventListener(type, onInside, options)
    window.addEventListener('pointerdown', onDown, options)
    for (const type of ['pointerup', 'pointercancel', 'blur']) window.addEventListener(type, onUp, options)
    window.addEventListener('keydown', onKey, options)
    return () => listening.abort()
  }, [scroller])
  return useCallback(() => performance.now() < until.current, [])
}

import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { useDeckhand } from '../state/store'

/**
 * When the user asks for a process somewhere in the window, makes its pane visible by calling `reveal` once, and
 * scrolls to it. Returns which pane should take the focus, and since when.
 */
export function useAimedPane(
  processes: ProcessInfo[],
  body: RefObject<HTMLElement | null>,
  reveal: (id: string) => void,
): { id: string; at: number } {
  const aim = useDeckhand((state) => state.aimedProcess)
  const aimed = aim && processes.some((process) => process.id === aim.id) ? aim : null
  const [focus, setFocus] = useState({ id: '', at: 0 })
  const seen = useRef(0)
  useEffect(() => {
    if (!aimed || aimed.at === seen.current) return
    seen.current = aimed.at
    reveal(aimed.id)
    setFocus(aimed)
    const pane = `[data-process="${CSS.escape(aimed.id)}"]`
    requestAnimationFrame(() => body.current?.querySelector(pane)?.scrollIntoView({ block: 'nearest' }))
  }, [aimed, reveal, body])
  return focus
}

import { type RefObject, useEffect, useState } from 'react'

/** Whether an element is visible, or nearly: false while its column is collapsed or it is scrolled far away. */
export function useOnScreen(element: RefObject<HTMLElement | null>): boolean {
  const [visible, setVisible] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver((entries) => setVisible(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: '120px',
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return visible
}

/** Below this the deck no longer fits beside the chat and becomes a drawer. */
const query = '(max-width: 1079px)'

export const isNarrow = () => window.matchMedia(query).matches

export function onNarrowChange(listener: () => void): () => void {
  const media = window.matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/**
 * How well an entry of the palette fits what was typed: by its name before other words for it. Letters scattered over a
 * name match by chance and hide what was meant, so every word has to be there as it was typed.
 */
export function matchScore(name: string, search: string, otherWords: readonly string[] = []): number {
  const label = name.toLowerCase()
  const typed = search.trim().toLowerCase()
  const words = typed.split(/\s+/)
  if (words.every((word) => label.includes(word))) return label.startsWith(typed) ? 1 : 0.9
  const all = [label, ...otherWords].join(' ').toLowerCase()
  return words.every((word) => all.includes(word)) ? 0.5 : 0
}

/**
 * How well an entry of the palette matches what was typed: its name counts more than other words for it. Every typed
 * word has to occur as a whole, since scattered letters match by chance and hide what was meant.
 */
export function matchScore(name: string, search: string, otherWords: readonly string[] = []): number {
  const label = name.toLowerCase()
  const typed = search.trim().toLowerCase()
  const words = typed.split(/\s+/)
  if (words.every((word) => label.includes(word))) return label.startsWith(typed) ? 1 : 0.9
  const all = [label, ...otherWords].join(' ').toLowerCase()
  return words.every((word) => all.includes(word)) ? 0.5 : 0
}

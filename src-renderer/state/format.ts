/** How times, sizes and amounts are formatted everywhere in the window. */

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  const seconds = ms / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`
  if (count < 1_000_000) return `${short(count / 1000)} kB`
  return `${short(count / 1_000_000)} MB`
}

export function tokens(count: number): string {
  if (count < 1000) return String(count)
  if (count < 1_000_000) return `${short(count / 1000)}k`
  return `${short(count / 1_000_000)}M`
}

const short = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)))

export function money(dollars: number): string {
  if (dollars === 0) return '$0'
  if (dollars < 0.01) return '<$0.01'
  return `$${dollars.toFixed(2)}`
}

export const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** "just now", "5 min ago", "3 h ago", then the date. The exact time belongs in the title attribute. */
export function relativeTime(time: number, now: number): string {
  const age = now - time
  if (age < minute) return 'just now'
  if (age < hour) return `${Math.floor(age / minute)} min ago`
  if (age < day) return `${Math.floor(age / hour)} h ago`
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear()
  return new Date(time).toLocaleDateString('en', {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  })
}

export const exactTime = (time: number) => new Date(time).toLocaleString()

/** The last part of a path. */
export const folderName = (path: string) => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path

/** A search snippet in pieces, with the matches marked. Matches are between U+0002 and U+0003. */
export function snippetPieces(snippet: string): { text: string; hit: boolean }[] {
  return snippet
    .split(/(\u0002[^\u0003]*\u0003?)/)
    .filter(Boolean)
    .map((piece) => ({ text: piece.replace(/[\u0002\u0003]/g, ''), hit: piece.startsWith('\u0002') }))
}

const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** Names and paths with hidden and reordering characters spelled out, so that they cannot mislead. */
export const visible = (text: string) =>
  text.replace(hidden, (char) => `⟨U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`)

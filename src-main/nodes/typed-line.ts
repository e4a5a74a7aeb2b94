/** Longer than any line that a person would read; anything typed earlier is dropped. */
const mostChars = 65_536
const interrupt = '\x03'

/**
 * What has been typed that the program has not received as a complete line yet. A shell command that continues after
 * Enter, because of a backslash, an open quote or an operator at its end, counts as one line.
 */
export function unreadLine(before: string, data: string): string {
  const typed = before + data
  const fresh = typed.slice(typed.lastIndexOf(interrupt) + 1)
  const lines = fresh.split(/[\r\n]/)
  const last = lines.pop() ?? ''
  let open = ''
  for (const line of lines) open = goesOn(open + line) ? `${open}${line}\n` : ''
  return (open + last).slice(-mostChars)
}

function goesOn(text: string): boolean {
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '\\' && quote !== "'") {
      if (at === text.length - 1) return true
      at++
    } else if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
  }
  return quote !== '' || /(?:\||&&|\|\||\bdo|\bthen|[({])\s*$/.test(text)
}

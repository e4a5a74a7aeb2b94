import { resolve } from 'node:path'

/** What another program asks the window to show, by a link or by the words of a second start. */
export type OpenRequest =
  | { kind: 'session'; id: string }
  /** Goes into the message box, where the user reads it. A link never sends anything. */
  | { kind: 'prompt'; text: string }
  | { kind: 'folder'; path: string }

/** Not the scheme of the window's own files: what comes from outside must never look like one of them. */
export const linkScheme = 'deckhand-link'

const longestLink = 50_000
const longestPrompt = 20_000

/** The first request among the words of a start; null if there is none, or none that is understood. */
export function openRequestFrom(words: readonly string[], cwd: string): OpenRequest | null {
  for (const [index, word] of words.entries()) {
    if (word.startsWith(`${linkScheme}:`)) return fromLink(word)
    const folder = word.startsWith('--open=') ? word.slice('--open='.length) : word === '--open' ? words[index + 1] : ''
    if (folder && !folder.includes('\0')) return { kind: 'folder', path: resolve(cwd, folder) }
  }
  return null
}

/** `deckhand-link://session/ID` and `deckhand-link://prompt?text=…`. */
export function fromLink(link: string): OpenRequest | null {
  if (link.length > longestLink || !URL.canParse(link)) return null
  const { protocol, hostname, pathname, searchParams } = new URL(link)
  if (protocol !== `${linkScheme}:`) return null
  if (hostname === 'session') {
    const id = pathname.slice(1)
    return /^[\w-]{1,200}$/.test(id) ? { kind: 'session', id } : null
  }
  if (hostname !== 'prompt') return null
  const text = visibleText(searchParams.get('text') ?? '').slice(0, longestPrompt)
  return text.trim() === '' ? null : { kind: 'prompt', text }
}

/** Without characters that nobody sees: what is sent later is what was read before. */
const visibleText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(/[^\n\t\P{C}]/gu, '')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')

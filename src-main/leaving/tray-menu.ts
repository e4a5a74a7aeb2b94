/** What the menu of the tray lists. */
export interface TrayFacts {
  running: { sessionId: string; title: string }[]
  waiting: { sessionId: string; title: string; asks: string }[]
}

export type TrayItem =
  | { type: 'separator' }
  | { type: 'heading'; label: string }
  | { type: 'session'; label: string; sessionId: string }
  | { type: 'open' | 'prompt' | 'quit'; label: string }

const mostListed = 8
const longestLabel = 60

/** The menu of the tray: questions first, then what is running, then the window itself. */
export function trayMenu({ running, waiting }: TrayFacts): TrayItem[] {
  return [
    ...listed(
      'Waiting for you',
      waiting.map(({ sessionId, title, asks }) => ({ sessionId, label: `${title}: ${asks}` })),
    ),
    ...listed(
      'Working',
      running.map(({ sessionId, title }) => ({ sessionId, label: title })),
    ),
    { type: 'open', label: 'Open Deckhand' },
    { type: 'prompt', label: 'New prompt…' },
    { type: 'separator' },
    { type: 'quit', label: 'Quit Deckhand' },
  ]
}

function listed(heading: string, entries: { sessionId: string; label: string }[]): TrayItem[] {
  if (entries.length === 0) return []
  const rest = entries.length - mostListed
  return [
    { type: 'heading', label: heading },
    ...entries
      .slice(0, mostListed)
      .map(({ sessionId, label }): TrayItem => ({ type: 'session', sessionId, label: menuText(label) })),
    ...(rest > 0 ? [{ type: 'heading' as const, label: `and ${rest} more` }] : []),
    { type: 'separator' },
  ]
}

/** What hovering over the icon tells. */
export function trayTip({ running, waiting }: TrayFacts): string {
  const parts = [
    ...(waiting.length > 0 ? [`${waiting.length} waiting for you`] : []),
    ...(running.length > 0 ? [`${running.length} working`] : []),
  ]
  return parts.length > 0 ? `Deckhand: ${parts.join(', ')}` : 'Deckhand'
}

/** One line in which no letter becomes a shortcut and nothing is invisible. */
const menuText = (text: string): string => {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  const short = [...line].length > longestLabel ? `${[...line].slice(0, longestLabel).join('')}…` : line
  return (short || 'New session').replaceAll('&', '&&')
}

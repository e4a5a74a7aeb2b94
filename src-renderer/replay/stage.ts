import type { Cast, Replay, ReplayTerminal } from '../../src-preload/contract/replay'
import { createChatView } from './chat-view'
import { element } from './element'
import { createTerminalView } from './terminal-view'

/** As many as fit; others are opened by a click. */
const mostOpen = 3
/** How long a terminal stays open after it has ended. */
const lingerMs = 4000

/** The chat and the terminals of a session at a given time. `load` gets the recording of a terminal. */
export function createStage(replay: Replay, load: (id: string) => Promise<Cast>) {
  const chat = createChatView(replay.messages, replay.omitted)
  const terminals = replay.terminals.map((terminal) => ({ terminal, view: createTerminalView(terminal, load) }))
  const deck = element('div', { class: 'replay-deck', role: 'region', 'aria-label': 'Terminals', tabindex: '0' })
  const empty = element('p', { class: 'replay-note' }, 'No terminals yet.')
  deck.append(empty)
  const resized = new ResizeObserver(() => {
    for (const { view } of terminals) view.scale()
  })
  resized.observe(deck)

  return {
    node: element('div', { class: 'replay-room' }, chat.node, deck),
    show(time: number) {
      chat.show(time)
      const started = terminals.filter(({ terminal }) => terminal.startedAt <= time)
      const open = openAt(
        started.map(({ terminal }) => terminal),
        time,
      )
      for (const { terminal, view } of terminals) {
        const exists = terminal.startedAt <= time
        // The latest on top, as in the deck.
        if (exists && !view.node.isConnected) deck.prepend(view.node)
        if (!exists && view.node.isConnected) view.node.remove()
        if (exists) view.show(time, open.has(terminal.id))
      }
      empty.hidden = started.length > 0
    },
    dispose() {
      resized.disconnect()
      for (const { view } of terminals) view.dispose()
    },
  }
}

/** The terminals that run or have just ended, the latest first; at least the latest of all. */
function openAt(started: readonly ReplayTerminal[], time: number): Set<string> {
  const latest = started.toReversed()
  const busy = latest.filter(({ endedAt }) => endedAt === null || endedAt + lingerMs > time)
  return new Set((busy.length > 0 ? busy : latest.slice(0, 1)).slice(0, mostOpen).map(({ id }) => id))
}

import { Unicode11Addon } from '@xterm/addon-unicode11'
import { Terminal } from '@xterm/xterm'
import type { Cast, ReplayTerminal } from '../../src-preload/contract/replay'
import { readTheme, watchTheme } from '../terminal/colours'
import { silenceReplies } from '../terminal/replies'
import { appliedUntil } from './cast-position'
import { element } from './element'
import { terminalState, typedWords } from './replay-words'

/** How long typed text is shown. */
const typedMs = 2500
const largestFont = 12.5
const smallestFont = 6
/** The width of a character relative to the font size. */
const charWidth = 0.602

/** A terminal at a given time. Its screen is created, and its recording loaded, when it is first opened. */
export function createTerminalView(terminal: ReplayTerminal, load: (id: string) => Promise<Cast>) {
  const bodyId = `replay-terminal-${terminal.id}`
  const state = element('span', { class: 'replay-terminal-state' })
  const head = element(
    'button',
    { type: 'button', class: 'replay-terminal-head', 'aria-controls': bodyId },
    element('code', {}, terminal.command),
    ...(terminal.byUser ? [element('span', { class: 'replay-terminal-who' }, 'yours')] : []),
    state,
  )
  const screen = element('div', { class: 'replay-screen' })
  const note = element('p', { class: 'replay-note' })
  const typed = element('p', { class: 'replay-typed', role: 'status' })
  const body = element('div', { id: bodyId, class: 'replay-terminal-body' }, note, screen, typed)
  const node = element('article', { class: 'replay-terminal', 'aria-label': terminal.command }, head, body)

  let cast: Cast | null = null
  let loading = false
  let emulator: ReturnType<typeof createEmulator> | null = null
  let time = 0
  let chosen: boolean | null = null
  let open = false

  const apply = () => {
    if (!cast) return
    emulator ??= createEmulator(screen, cast)
    emulator.show(appliedUntil(cast.events, time))
    const last = lastTyped(cast, time)
    const words = last && time - last.at < typedMs ? typedWords(last.by, last.text) : ''
    if (typed.textContent !== words) typed.replaceChildren(words)
  }
  const loadOnce = () => {
    if (cast || loading) return apply()
    loading = true
    note.textContent = 'Loading…'
    load(terminal.id).then(
      (loaded) => {
        cast = loaded
        note.textContent = notesOf(loaded)
        apply()
      },
      (error: Error) => {
        note.textContent = error.message
      },
    )
  }
  const setOpen = (next: boolean) => {
    open = next
    body.hidden = !next
    head.setAttribute('aria-expanded', String(next))
    if (next) loadOnce()
  }
  head.addEventListener('click', () => {
    chosen = !open
    setOpen(chosen)
  })
  setOpen(false)

  return {
    node,
    /** `wanted`: whether it is open by default; the user's choice takes precedence. */
    show(now: number, wanted: boolean) {
      time = now
      const words = terminalState(terminal, now)
      if (state.textContent !== words) state.textContent = words
      node.dataset.running = String(terminal.endedAt === null || terminal.endedAt > now)
      const next = chosen ?? wanted
      if (next !== open) setOpen(next)
      else if (open) apply()
    },
    scale: () => emulator?.scale(),
    dispose: () => emulator?.dispose(),
  }
}

const notesOf = ({ skipped, untimed }: Cast): string =>
  [
    skipped > 0 ? `The first ${Math.max(1, Math.round(skipped / 1_000_000))} MB of its output are left out.` : '',
    untimed ? 'When this was written is not known, so it is shown at the end.' : '',
  ]
    .filter(Boolean)
    .join(' ')

function lastTyped(cast: Cast, time: number) {
  for (let index = appliedUntil(cast.events, time) - 1; index >= 0; index--) {
    const event = cast.events[index]
    if (!event || time - event[0] > typedMs) return null
    if (event[1] === 'typed') return { at: event[0], by: event[2], text: event[3] }
  }
  return null
}

/** An xterm.js that can be moved to any event of a recording, forwards and backwards. */
function createEmulator(holder: HTMLElement, cast: Cast) {
  const family = getComputedStyle(holder).getPropertyValue('--font-mono').trim() || 'monospace'
  const terminal = new Terminal({
    allowProposedApi: true,
    cols: cast.cols,
    rows: cast.rows,
    scrollback: 2000,
    fontFamily: family,
    fontSize: largestFont,
    lineHeight: 1.2,
    cursorBlink: false,
    cursorInactiveStyle: 'block',
    minimumContrastRatio: 4.5,
    disableStdin: true,
    screenReaderMode: true,
    theme: readTheme(holder),
  })
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  silenceReplies(terminal.parser)
  terminal.open(holder)
  // Nobody types here, so Tab should skip it.
  if (terminal.textarea) terminal.textarea.tabIndex = -1
  const scale = () => {
    const room = holder.clientWidth
    if (room === 0) return
    const size = Math.max(smallestFont, Math.min(largestFont, Math.floor((room / terminal.cols / charWidth) * 4) / 4))
    if (terminal.options.fontSize !== size) terminal.options.fontSize = size
  }
  scale()
  const unwatch = watchTheme(() => {
    terminal.options.theme = readTheme(holder)
  })

  let applied = 0
  let target = 0
  let busy = false
  let gone = false
  const next = () => {
    if (gone || busy || applied === target) return
    if (target < applied) {
      terminal.reset()
      terminal.resize(cast.cols, cast.rows)
      applied = 0
      return next()
    }
    let text = ''
    while (applied < target) {
      const event = cast.events[applied]
      // Output from before a resize is drawn before it.
      if (event?.[1] === 'size' && text !== '') break
      if (event?.[1] === 'size') terminal.resize(event[2], event[3])
      if (event?.[1] === 'output') text += event[2]
      applied++
    }
    scale()
    busy = true
    terminal.write(text, () => {
      busy = false
      next()
    })
  }
  return {
    show(count: number) {
      target = count
      next()
    },
    scale,
    dispose() {
      gone = true
      unwatch()
      terminal.dispose()
    },
  }
}

import type { Cast, Replay } from '../../src-preload/contract/replay'
import { createControls, speeds } from './controls'
import { element } from './element'
import { pauseWords } from './replay-words'
import { createStage } from './stage'
import { createTimeline, type Span } from './timeline'
import '@xterm/xterm/css/xterm.css'
import './player.css'

const step = 5000
const leap = 30_000

/**
 * Plays a session: chat and terminals as they were, with a slider, in the window and in an exported file. `load` gets
 * the recording of a terminal when it is first opened.
 */
export function createPlayer(root: HTMLElement, replay: Replay, load: (id: string) => Promise<Cast>) {
  const timeline = createTimeline(replay.start, replay.end, activityOf(replay))
  const stage = createStage(replay, load)

  let position = 0
  let playing = false
  let rate = 1
  let frame = 0
  let last = 0

  const show = () => {
    const time = timeline.timeAt(position)
    stage.show(time)
    const pause = playing ? timeline.pauseAt(position) : 0
    const words = pause > 0 ? pauseWords(pause) : ''
    if (controls.note.textContent !== words) controls.note.textContent = words
    controls.show(position, time, playing, rate)
  }
  const seek = (to: number) => {
    position = Math.min(timeline.length, Math.max(0, to))
    show()
  }
  const tick = (now: number) => {
    // If the window was hidden, the replay does not jump ahead.
    const passed = Math.min(250, now - last) * rate
    last = now
    position = Math.min(timeline.length, position + passed)
    if (position >= timeline.length) playing = false
    show()
    if (playing) frame = requestAnimationFrame(tick)
  }
  const play = (wanted = !playing) => {
    if (wanted === playing) return
    playing = wanted
    cancelAnimationFrame(frame)
    if (playing && position >= timeline.length) position = 0
    last = performance.now()
    if (playing) frame = requestAnimationFrame(tick)
    show()
  }
  const setRate = (next: number) => {
    rate = next
    show()
  }
  const controls = createControls({ length: timeline.length, onPlay: () => play(), onSeek: seek, onSpeed: setRate })

  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const at = event.target instanceof Element ? event.target : null
    if (at?.matches('select') || (at?.matches('button') && (event.key === ' ' || event.key === 'Enter'))) return
    const act = keyOf(event, { position, length: timeline.length, rate })
    if (!act) return
    event.preventDefault()
    if (act.play) play()
    if (act.rate !== undefined) setRate(act.rate)
    if (act.position !== undefined) seek(act.position)
  }
  // Runs before the slider's own handling of arrow keys.
  root.addEventListener('keydown', onKey, true)
  root.append(element('div', { class: 'replay' }, stage.node, controls.note, controls.node))
  seek(0)
  controls.focus()
  return {
    destroy() {
      cancelAnimationFrame(frame)
      playing = false
      root.removeEventListener('keydown', onKey, true)
      stage.dispose()
      root.replaceChildren()
    },
  }
}

interface Act {
  play?: true
  position?: number
  rate?: number
}

function keyOf(
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  { position, length, rate }: { position: number; length: number; rate: number },
): Act | null {
  const by = shiftKey ? leap : step
  const faster = speeds[Math.min(speeds.length - 1, speeds.indexOf(rate) + 1)] ?? rate
  const slower = speeds[Math.max(0, speeds.indexOf(rate) - 1)] ?? rate
  switch (key) {
    case ' ':
    case 'k':
      return { play: true }
    case 'ArrowRight':
      return { position: position + by }
    case 'ArrowLeft':
      return { position: position - by }
    case 'PageDown':
      return { position: position + leap }
    case 'PageUp':
      return { position: position - leap }
    case 'Home':
      return { position: 0 }
    case 'End':
      return { position: length }
    case '+':
    case '>':
      return { rate: faster }
    case '-':
    case '<':
      return { rate: slower }
    default:
      return null
  }
}

function activityOf({ start, messages, terminals }: Replay): Span[] {
  const calls = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'call' ? [part.call] : [])))
  return [
    [start, start],
    ...messages.map(({ at, until }): Span => [at, until ?? at]),
    ...calls.flatMap(({ createdAt, startedAt, endedAt }): Span[] =>
      [createdAt, startedAt, endedAt].flatMap((moment) => (moment === null ? [] : [[moment, moment] as const])),
    ),
    ...terminals.flatMap(({ active }) => active),
  ]
}

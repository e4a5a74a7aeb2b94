import { element } from './element'
import { clock } from './replay-words'

export const speeds = [0.5, 1, 2, 4, 8, 16]

interface ControlsOptions {
  length: number
  onPlay(): void
  onSeek(position: number): void
  onSpeed(speed: number): void
}

/** The bar below: play or pause, the slider, the position, and the speed. */
export function createControls({ length, onPlay, onSeek, onSpeed }: ControlsOptions) {
  const play = element('button', { type: 'button', class: 'replay-play', 'aria-label': 'Play', title: 'Play (Space)' })
  const slider = element('input', {
    type: 'range',
    class: 'replay-slider',
    'aria-label': 'Position',
    min: '0',
    max: String(Math.max(1, Math.ceil(length))),
    step: '1',
    value: '0',
  })
  const stand = element('span', { class: 'replay-stand' })
  const speed = element(
    'select',
    { class: 'replay-speed', 'aria-label': 'Speed' },
    ...speeds.map((each) => element('option', { value: String(each) }, `${each}×`)),
  )
  const note = element('p', { class: 'replay-now', role: 'status' })
  play.addEventListener('click', onPlay)
  slider.addEventListener('input', () => onSeek(slider.valueAsNumber))
  // The arrow keys move by seconds, as everywhere in the player, and not by single steps of the slider.
  slider.addEventListener('keydown', (event) => {
    if (/^(Arrow|Page|Home|End)/.test(event.key)) event.preventDefault()
  })
  speed.addEventListener('change', () => onSpeed(Number(speed.value)))
  return {
    node: element('div', { class: 'replay-controls' }, play, slider, stand, speed),
    note,
    focus: () => slider.focus({ preventScroll: true }),
    show(position: number, time: number, playing: boolean, rate: number) {
      slider.value = String(Math.round(position))
      const words = `${clock(position)} / ${clock(length)}`
      stand.textContent = words
      stand.title = new Date(time).toLocaleString()
      slider.setAttribute('aria-valuetext', `${words}, ${new Date(time).toLocaleTimeString()}`)
      play.dataset.playing = String(playing)
      play.setAttribute('aria-label', playing ? 'Pause' : 'Play')
      play.title = playing ? 'Pause (Space)' : 'Play (Space)'
      speed.value = String(rate)
    },
  }
}

import type { Replay } from '../../src-preload/contract/replay'
import { element } from './element'
import { createPlayer } from './player'
import '../theme.css'
import '../standalone.css'
import './exported.css'

/** Plays the replay that is in the same file. */
const replay: Replay = JSON.parse(document.getElementById('replay')?.textContent ?? '')
const dark = matchMedia('(prefers-color-scheme: dark)')
const applyTheme = () => {
  document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light'
}
applyTheme()
dark.addEventListener('change', applyTheme)

const root = element('main', { class: 'exported' }, element('h1', {}, replay.title))
document.body.append(root)
createPlayer(root, replay, (id) => {
  const cast = replay.terminals.find((terminal) => terminal.id === id)?.cast
  return cast ? Promise.resolve(cast) : Promise.reject(new Error('This terminal is not in the file.'))
})

import '../theme.css'
import '../standalone.css'
import './prompt.css'
import type { PromptBridge } from '../../src-preload/contract/prompt-box'
import { element } from '../replay/element'
import { folderName } from '../state/format'

declare const deckhandPrompt: PromptBridge

/** The prompt box: a field, and a line that says what happens. */
const dark = matchMedia('(prefers-color-scheme: dark)')
const applyTheme = () => {
  document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light'
}
applyTheme()
dark.addEventListener('change', applyTheme)

const field = element('textarea', {
  class: 'prompt-field',
  'aria-label': 'Message to Deckhand',
  'aria-describedby': 'prompt-hint',
  placeholder: 'Ask Deckhand to do something',
  rows: '3',
})
const mac = navigator.platform.startsWith('Mac')
const keys = `Enter to send · ${mac ? '⌘' : 'Ctrl+'}Enter to send and open · Esc to close`
const hint = element('p', { id: 'prompt-hint', class: 'prompt-hint', role: 'status' }, keys)
document.body.append(element('main', { class: 'prompt' }, field, hint))
field.focus()

void deckhandPrompt.ask({ type: 'info' }).then(({ folder }) => {
  if (folder) hint.replaceChildren(`New session in ${folderName(folder)} · ${keys}`)
})

let sending = false
const send = async (open: boolean) => {
  if (sending || field.value.trim() === '') return
  sending = true
  const { error } = await deckhandPrompt.ask({ type: 'send', text: field.value, open })
  sending = false
  if (!error) return
  hint.textContent = error
  hint.dataset.failed = 'true'
}

field.addEventListener('keydown', (event) => {
  if (event.isComposing) return
  if (event.key === 'Escape') void deckhandPrompt.ask({ type: 'close' })
  if (event.key !== 'Enter' || event.shiftKey) return
  event.preventDefault()
  void send(event.ctrlKey || event.metaKey)
})
window.addEventListener('focus', () => field.focus())

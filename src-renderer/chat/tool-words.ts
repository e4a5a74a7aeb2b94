import type { Display, Grant, ToolCall, ToolState } from '../../src-preload/contract/tool-calls'
import { bytes, count } from '../state/format'
import { modeLabel } from '../state/modes'

/** Whether the content of a failed call only repeats its error message, in the form that the model reads. */
export function repeatsFailure(state: ToolState): boolean {
  if (state.status !== 'failed') return false
  const [only, ...more] = state.content
  if (only?.type !== 'text' || more.length > 0) return false
  const { message } = state.error
  const wrapping = 80
  const holds = only.text.includes(message) || only.text.includes(JSON.stringify(message).slice(1, -1))
  return holds && only.text.length <= JSON.stringify(message).length + wrapping
}

/** Why a call ran without asking, or who allowed it: the last line of its card. */
export function grantWords(grant: Grant): string {
  switch (grant.by) {
    case 'mode':
      return `Ran because the mode is “${modeLabel(grant.mode)}”: ${midSentence(grant.reason)}`
    case 'rule':
      return `Ran because of a rule: ${grant.reason}`
    case 'harmless':
      return `Ran because it is harmless: ${midSentence(grant.reason)}`
    case 'sandbox':
      return 'Ran without asking: this session runs in a sandbox.'
    case 'agent':
      return grant.reason
    case 'user':
      if (grant.rehearsed) return 'Tried in a copy first, then you applied its changes.'
      return `${scopes[grant.scope]}${grant.edited ? ', after editing it' : ''}.`
  }
}

const midSentence = (reason: string): string => reason.replace(/^It /, 'it ')

const scopes = {
  once: 'You allowed it once',
  process: 'You allowed it for this process',
  session: 'You allowed it for this session',
  workspace: 'You allowed it for this workspace',
  everywhere: 'You allowed it everywhere',
}

/** The size of the result, in a word or two for the end of the line. */
export function sizeWords(call: ToolCall): string {
  const display = 'display' in call.state ? call.state.display : undefined
  if (display) return displaySize(display)
  if (call.state.status !== 'done') return ''
  const text = call.state.content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
  return text > 0 ? bytes(text) : ''
}

function displaySize(display: Display): string {
  switch (display.type) {
    case 'process':
      return display.bytes ? bytes(display.bytes) : ''
    case 'file':
      return count(display.lines, 'line')
    case 'diff': {
      const added = display.files.reduce((sum, file) => sum + file.added, 0)
      const removed = display.files.reduce((sum, file) => sum + file.removed, 0)
      return [added > 0 && `+${added}`, removed > 0 && `−${removed}`].filter(Boolean).join(' ')
    }
    case 'matches':
      return display.listing ? count(display.total, 'entry', 'entries') : count(display.total, 'match', 'matches')
    case 'todo':
      return `${display.items.filter((item) => item.status === 'done').length} of ${display.items.length}`
    case 'subagent':
      return count(display.total, 'step')
    case 'plan':
      return display.verdict === 'changes' ? 'changes wanted' : display.verdict
    case 'image':
    case 'answer':
      return ''
    case 'text':
      return bytes(display.text.length)
  }
}

/** The outcome, for screen readers. */
export function stateWords(call: ToolCall): string {
  const { state } = call
  if (state.status === 'done') {
    const code = state.display?.type === 'process' ? state.display.exitCode : undefined
    if (code === undefined || code === 0) return 'done'
    return code === null ? 'still running' : `exit code ${code}`
  }
  if (state.status === 'pending') return 'about to run'
  return state.status === 'awaiting' ? 'waiting for your answer' : state.status
}

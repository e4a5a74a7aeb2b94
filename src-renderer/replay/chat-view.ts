import type { ReplayMessage, ReplayPart } from '../../src-preload/contract/replay'
import { element } from './element'
import { statusAt, statusWords } from './replay-words'

/** More than fits on any screen. */
const mostShown = 120

const speakers = { user: 'You', assistant: 'Deckhand', system: 'Notice' }

interface Row {
  node: HTMLElement
  /** Shows it as it was at a given time. */
  update(time: number): void
}

/** The chat as it was at a given time, scrolled to its end. */
export function createChatView(messages: readonly ReplayMessage[], omitted: number) {
  const list = element('div', { class: 'replay-chat', role: 'region', 'aria-label': 'Conversation', tabindex: '0' })
  const rows = new Map<number, Row>()
  let shown = { from: 0, to: 0 }
  if (omitted > 0) list.append(element('p', { class: 'replay-note' }, `${omitted} earlier messages are left out.`))

  const show = (time: number) => {
    const to = countUntil(messages, time)
    const from = Math.max(0, to - mostShown)
    for (const [index, { node }] of rows) {
      if (index >= from && index < to) continue
      node.remove()
      rows.delete(index)
    }
    let before: Node | null = null
    for (let index = to - 1; index >= from; index--) {
      const message = messages[index]
      const row: Row | null = rows.get(index) ?? (message ? createRow(message) : null)
      if (!row) continue
      if (!rows.has(index)) list.insertBefore(row.node, before)
      rows.set(index, row)
      row.update(time)
      before = row.node
    }
    if (to !== shown.to || from !== shown.from) list.scrollTop = list.scrollHeight
    shown = { from, to }
  }
  return { node: list, show }
}

function countUntil(messages: readonly ReplayMessage[], time: number): number {
  const later = messages.findIndex(({ at }) => at > time)
  return later < 0 ? messages.length : later
}

function createRow(message: ReplayMessage): Row {
  const updates: ((time: number) => void)[] = []
  const parts = message.parts.map((part) => createPart(part, message, updates))
  const node = element('article', {
    class: `replay-message replay-${message.role}`,
    'aria-label': speakers[message.role],
  })
  if (message.role !== 'system') node.append(element('p', { class: 'replay-speaker' }, speakers[message.role]))
  node.append(...parts)
  return {
    node,
    update(time) {
      for (const update of updates) update(time)
    },
  }
}

function createPart(part: ReplayPart, message: ReplayMessage, updates: ((time: number) => void)[]): HTMLElement {
  switch (part.type) {
    case 'text': {
      const node = element('p', { class: 'replay-text' }, part.text)
      const whole = node.textContent ?? ''
      const { at, until, role } = message
      if (role === 'assistant' && until !== null && until > at)
        updates.push((time) => {
          const share = Math.min(1, (time - at) / (until - at))
          const words = whole.slice(0, Math.ceil(whole.length * share))
          if (node.textContent !== words) node.textContent = words
        })
      return node
    }
    case 'note':
      return element('p', { class: 'replay-note' }, part.text)
    case 'image':
      return element('img', { class: 'replay-image', src: part.src, alt: part.name })
    case 'call': {
      const { call } = part
      const state = element('span', { class: 'replay-call-state' })
      const node = element(
        'p',
        { class: 'replay-call' },
        element('span', { class: 'replay-call-name' }, call.name),
        element('code', {}, call.gist),
        state,
      )
      updates.push((time) => {
        const status = statusAt(call, time)
        node.hidden = call.createdAt > time
        node.dataset.status = status
        if (state.textContent !== statusWords[status]) state.textContent = statusWords[status]
      })
      return node
    }
  }
}

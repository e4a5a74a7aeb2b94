export interface SseEvent {
  event: string
  data: string
}

/** A stream that does not end where any sane one would. */
export class TooLarge extends Error {
  constructor(what: string, limit: number) {
    super(`${what} is larger than ${Math.round(limit / 1_000_000)} MB`)
    this.name = 'TooLarge'
  }
}

const lineBreak = /\r\n?|\n/g
const maxEventChars = 16_000_000

/**
 * Server-sent events from text that may be cut anywhere. Only new text is searched for line breaks, so that a long line in
 * many small pieces costs no more than its length.
 */
export const sseParser = (maxChars = maxEventChars) => {
  let partial = ''
  let skipLineFeed = false
  let name = ''
  let data: string[] = []
  let size = 0

  const takeLine = (line: string, events: SseEvent[]) => {
    if (line === '') {
      if (data.length > 0) events.push({ event: name || 'message', data: data.join('\n') })
      name = ''
      data = []
      size = 0
      return
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    // Comments have an empty field name; `id` and `retry` mean nothing where nobody reconnects.
    if (field === 'event') name = value
    if (field !== 'data') return
    size += value.length
    if (size > maxChars) throw new TooLarge('An event of the stream', maxChars)
    data.push(value)
  }

  const push = (text: string): SseEvent[] => {
    const events: SseEvent[] = []
    let start = skipLineFeed && text[0] === '\n' ? 1 : 0
    if (text !== '') skipLineFeed = text.endsWith('\r')
    lineBreak.lastIndex = start
    for (let found = lineBreak.exec(text); found; found = lineBreak.exec(text)) {
      takeLine(partial + text.slice(start, found.index), events)
      partial = ''
      start = lineBreak.lastIndex
    }
    partial += text.slice(start)
    if (partial.length > maxChars) throw new TooLarge('A line of the stream', maxChars)
    return events
  }

  /** What is left when the stream ends: many servers leave out the last blank line. */
  const end = (): SseEvent[] => {
    const events: SseEvent[] = []
    if (partial !== '') takeLine(partial, events)
    partial = ''
    takeLine('', events)
    return events
  }

  return { push, end }
}

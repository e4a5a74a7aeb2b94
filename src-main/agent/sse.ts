import { createParser } from 'eventsource-parser'

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

const maxEventChars = 16_000_000

/** Server-sent events from text that may be cut anywhere. An event, or a line, larger than `maxChars` throws `TooLarge`. */
export const sseParser = (maxChars = maxEventChars) => {
  let events: SseEvent[] = []
  const parser = createParser({
    maxBufferSize: maxChars,
    onEvent: ({ event = 'message', data }) => events.push({ event, data }),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new TooLarge('An event of the stream', maxChars)
    },
  })

  const push = (text: string): SseEvent[] => {
    events = []
    parser.feed(text)
    return events
  }

  /** What is left when the stream ends: many servers leave out the last blank line. */
  const end = (): SseEvent[] => push('\n\n')

  return { push, end }
}

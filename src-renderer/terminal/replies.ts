import type { IDisposable, IParser } from '@xterm/xterm'

/**
 * A pane only displays: programs that query the terminal are answered by the terminal host, which sees every byte
 * exactly once. xterm.js would answer too, and its answers look like typing. These handlers drop the queries: device
 * attributes, status and cursor reports, mode and setting requests, window reports, color queries.
 */
export function silenceReplies(parser: IParser): IDisposable {
  const swallow = () => true
  const swallowQuery = (data: string) => data.split(';').includes('?')
  const handlers = [
    parser.registerCsiHandler({ final: 'c' }, swallow),
    parser.registerCsiHandler({ prefix: '>', final: 'c' }, swallow),
    parser.registerCsiHandler({ prefix: '=', final: 'c' }, swallow),
    parser.registerCsiHandler({ final: 'n' }, swallow),
    parser.registerCsiHandler({ prefix: '?', final: 'n' }, swallow),
    parser.registerCsiHandler({ intermediates: '$', final: 'p' }, swallow),
    parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, swallow),
    parser.registerCsiHandler({ final: 't' }, swallow),
    parser.registerCsiHandler({ prefix: '>', final: 'q' }, swallow),
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow),
    parser.registerDcsHandler({ intermediates: '+', final: 'q' }, swallow),
    ...[4, 10, 11, 12].map((ident) => parser.registerOscHandler(ident, swallowQuery)),
    // The clipboard belongs to the user: programs can neither read nor set it.
    parser.registerOscHandler(52, swallow),
  ]
  return {
    dispose() {
      for (const handler of handlers) handler.dispose()
    },
  }
}

/** Focus reports are sent by xterm.js itself when a pane gains or loses focus; nobody typed them. */
export const isFocusReport = (data: string) => data === '\x1b[I' || data === '\x1b[O'

import type { NodeLog } from '../../../src-preload/contract/nodes'
import type { Logger } from '../../log'

const keptLines = 500

/** Events of the connection to a node since the start, since the machine itself keeps no log for Deckhand. */
export interface ConnectionLog {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  tail(count: number): Pick<NodeLog, 'lines' | 'count' | 'truncated'>
}

/** Everything is also written to the app's own log, with the node's name at that time. */
export function createConnectionLog(log: Logger, node: () => string): ConnectionLog {
  const lines: string[] = []
  const write = (level: 'info' | 'warn', message: string, fields: Record<string, unknown> = {}): void => {
    log[level](message, { node: node(), ...fields })
    lines.push(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }))
    lines.splice(0, lines.length - keptLines)
  }
  return {
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    tail(count) {
      const found = lines.slice(-count)
      return { lines: found, count: found.length, truncated: lines.length > count }
    },
  }
}

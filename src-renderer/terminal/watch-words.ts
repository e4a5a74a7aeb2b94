import type { WatchedFor } from '../../src-preload/contract/processes'
import { visible } from '../state/format'

/** Completes "Wakes the agent when it". */
export function watchWords(watch: WatchedFor): string {
  switch (watch.kind) {
    case 'text':
      return `prints “${visible(watch.text)}”`
    case 'silence':
      return `prints nothing for ${watch.seconds} s`
    case 'port':
      return `listens on port ${watch.port}`
    case 'exit':
      return 'ends'
  }
}

/** The watch that was entered for this kind, or what is wrong with it. */
export function readWatch(kind: WatchedFor['kind'], written: string): WatchedFor | string {
  const text = written.trim()
  const number = Number(text)
  switch (kind) {
    case 'exit':
      return { kind }
    case 'text':
      return text === '' ? 'Enter the text to wait for.' : { kind, text }
    case 'silence':
      return number >= 1 && number <= 86_400 ? { kind, seconds: number } : 'Enter a number of seconds from 1 to 86400.'
    case 'port':
      return Number.isInteger(number) && number >= 1 && number <= 65_535
        ? { kind, port: number }
        : 'Enter a number from 1 to 65535.'
  }
}

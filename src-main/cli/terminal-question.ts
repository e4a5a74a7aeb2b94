import { createInterface } from 'node:readline/promises'
import type { Stopping } from './stopping'

/**
 * Asks on the terminal. `null` for whoever leaves instead of answering: with Ctrl-D, or with Ctrl-C, which means the whole
 * command. Readline takes the latter for a key, and would end with an error of its own.
 */
export async function askOnTerminal(question: string, interrupt: () => void): Promise<string | null> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const left = new AbortController()
  terminal.once('SIGINT', () => {
    interrupt()
    terminal.close()
  })
  terminal.once('close', () => left.abort())
  try {
    return (await terminal.question(question, { signal: left.signal })).trim()
  } catch (error) {
    if (!left.signal.aborted) throw error
    process.stderr.write('\n')
    return null
  } finally {
    terminal.close()
  }
}

/** Whether the user agrees: by `--yes`, or on the terminal. Without a terminal nobody does. */
export async function confirm(question: string, options: Map<string, string>, stopping: Stopping): Promise<boolean> {
  if (options.has('yes')) return true
  if (!process.stdin.isTTY) {
    process.stderr.write(`${question} Run again with --yes to confirm.\n`)
    return false
  }
  const said = await askOnTerminal(`${question} [y/N] `, () => stopping.stop('SIGINT'))
  return /^y(?:es)?$/i.test(said ?? '')
}

import type { LineMode } from './child'
import type { TerminalQuery } from './screen-history'

const MAX_WAITING = 8

/**
 * Answers a program's queries to its terminal: cursor position, status, terminal type. Nothing else, and only for a
 * program that reads raw keys: to any other the answer would look like typed input, so that printing a hostile file
 * could type into a shell.
 */
interface Answers {
  /** Queries in output that ends at `offset`. */
  add(queries: TerminalQuery[], offset: number): void
}

export function createAnswers(terminal: {
  lineMode(): Promise<LineMode | null>
  cursorAt(offset: number): Promise<{ x: number; y: number }>
  write(text: string): void
}): Answers {
  const waiting: { query: TerminalQuery; offset: number }[] = []
  let working = false

  const answer = async (query: TerminalQuery, offset: number): Promise<string> => {
    if (query === 'status') return '\x1b[0n'
    if (query === 'attributes') return '\x1b[?1;2c'
    const { x, y } = await terminal.cursorAt(offset)
    return `\x1b[${y + 1};${x + 1}R`
  }
  const work = async () => {
    working = true
    while (waiting.length > 0) {
      const mode = await terminal.lineMode()
      // Each look starts a process, so one look serves all waiting queries.
      const batch = waiting.splice(0)
      if (!mode || mode.canonical) continue
      for (const { query, offset } of batch) terminal.write(await answer(query, offset))
    }
  }

  return {
    add(queries, offset) {
      // A program waits for its answer before it asks again; a printed file full of queries does not.
      for (const query of queries) if (waiting.length < MAX_WAITING) waiting.push({ query, offset })
      if (working) return
      work()
        .catch((error: unknown) => console.error('A terminal query was not answered:', error))
        .finally(() => {
          working = false
        })
    },
  }
}

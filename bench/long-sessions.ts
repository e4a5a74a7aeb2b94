import { openDatabase } from '../src-main/database'
import { createStore, type Store } from '../src-main/session/store'

export const longLength = 10_000

export interface Sessions {
  /** Titles; the last message of each long one holds its title. */
  long: string[]
  plain: string[]
  empty: string[]
}

/** Fills a data folder: sessions of 10,000 messages as a model writes them, the same in plain words, and empty ones. */
export function writeSessions(dataDir: string, count: { long: number; plain: number; empty: number }): Sessions {
  const database = openDatabase(dataDir)
  const store = createStore(database)
  const make = (kind: keyof Sessions, write: (title: string) => void): string[] =>
    Array.from({ length: count[kind] }, (_, n) => {
      const title = `${kind} ${n + 1}.`
      database.transaction(() => write(title))
      return title
    })
  const sessions = {
    long: make('long', (title) => fill(store, title, answer)),
    plain: make('plain', (title) => fill(store, title, (n) => answer(n).replace(/[`*#|\n-]+/g, ' '))),
    empty: make('empty', (title) => void create(store, title)),
  }
  database.close()
  return sessions
}

const create = (store: Store, title: string): string =>
  store.sessions.create({ title, workspace: '/tmp', model: 'guide', toolset: 'deckhand', mode: 'safe' }).id

function fill(store: Store, title: string, text: (n: number) => string): void {
  const sessionId = create(store, title)
  for (let n = 0; n < longLength; n++) {
    const words = n === longLength - 1 ? `The end of ${title}` : n % 2 === 0 ? `What about number ${n}?` : text(n)
    // What the user says is shown as plain text, so a session without markdown is one in which only the user speaks.
    const role = n % 2 === 0 || title.startsWith('plain') ? 'user' : 'assistant'
    store.messages.append({ sessionId, role, parts: [{ type: 'text', text: words }] })
  }
}

const answer = (n: number): string => {
  const shapes = [
    `The value of \`item${n}\` is **${n * 7}**, which follows from what was said before. It holds for every case that was looked at so far, and for those that were not there is no reason to think otherwise.`,
    `## Step ${n}\n\nThree things matter here:\n\n- the *first*, since it comes first\n- the \`second\`, which has the number ${n}\n- the third, and it has [a link](https://example.com/${n})\n\nAll of them were checked.`,
    `Here is how:\n\n\`\`\`ts\nexport function step${n}(value: number): number {\n  // Twice, because once was not enough.\n  return value * 2 + ${n}\n}\n\`\`\`\n\nIt returns ${n} for zero.`,
    `| name | value |\n|---|---|\n| a | ${n} |\n| b | ${n + 1} |\n\nAs the table shows, both grow.`,
  ]
  return shapes[n % shapes.length === 1 ? 1 : (n >> 1) % shapes.length] ?? ''
}

import { createConnection } from './connection'
import type { ConnectionOptions } from './connection-types'
import { shownName } from './tool-definition'

export interface Trial {
  ok: boolean
  message: string
  tools: string[]
}

/** Starts a server separately from the others, reads its tools, and ends it. */
export async function tryServer(options: Omit<ConnectionOptions, 'changed' | 'log'>): Promise<Trial> {
  const heard: string[] = []
  const connection = createConnection({
    ...options,
    changed: () => {},
    log: (from, text) => void (heard.length < 20 && from !== 'server' && heard.push(text)),
  })
  try {
    await connection.start()
    const tools = connection.tools.map(({ name }) => shownName(name))
    if (connection.state === 'ready')
      return { ok: true, message: `It answers, with ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}.`, tools }
    const rest = heard.filter((line) => line !== connection.error).slice(-5)
    return { ok: false, message: [connection.error, ...rest].filter(Boolean).join('\n'), tools: [] }
  } finally {
    await connection.close()
  }
}

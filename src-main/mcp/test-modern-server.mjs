// A server of the protocol of 2026-07-28 and of no other, on the reference implementation; for tests, as a program.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const makeServer = () => {
  const server = new McpServer({ name: 'modern', version: '1' })
  server.registerTool('slow', { description: 'Takes its time.', inputSchema: z.object({}) }, async (_args, context) => {
    const { signal, _meta, notify } = context.mcpReq
    console.error('called')
    for (let progress = 1; progress <= 3; progress++)
      await notify({
        method: 'notifications/progress',
        params: { progressToken: _meta?.progressToken, progress, total: 3, message: `part ${progress}` },
      })
    if (process.argv[2] !== 'hangs') return { content: [{ type: 'text', text: 'slow but done' }] }
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        console.error('cancelled')
        reject(new Error('cancelled'))
      })
    })
  })
  const argsSchema = z.object({ place: z.string(), year: z.string().optional() })
  server.registerPrompt('weather', { description: 'Asks for the weather.', argsSchema }, ({ place, year = 'now' }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `What is the weather in ${place}, ${year}?` } }],
  }))
  server.registerResource(
    'notes',
    'notes://today',
    { description: 'Notes of today', mimeType: 'text/plain' },
    (uri) => ({
      contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Buy bread.' }],
    }),
  )
  return server
}

serveStdio(makeServer, { legacy: 'reject' })

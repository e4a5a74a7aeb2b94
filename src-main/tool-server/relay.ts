import { connect } from 'node:net'

/**
 * What a hosted agent starts as its MCP server: passes what it says on to the socket of the session that it plays, where
 * the tools are served. Ends with either side.
 */
const [path = ''] = process.argv.slice(2)

const socket = connect(path)
socket.on('error', (error) => {
  process.stderr.write(`deckhand: the tools cannot be reached: ${error.message}\n`)
  process.exit(1)
})
socket.on('close', () => process.exit(0))
process.stdin.pipe(socket).pipe(process.stdout)

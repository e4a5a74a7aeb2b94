import { spawn } from 'node:child_process'
import { connect, createServer } from 'node:net'
import { constants } from 'node:os'

/**
 * Runs inside the sandbox, where there is no network: forwards connections from a local port to a socket mounted into
 * the sandbox, and starts the command with the proxy environment variables set. Ends when the command ends.
 */
const given = process.argv.slice(2)
/** Ports of the machine outside that are found inside as well: a model that is served there. */
const ports = given[0]?.startsWith('--ports=') ? (given.shift() ?? '').slice('--ports='.length).split(',') : []
const [socket = '', program = '', ...args] = given

for (const port of ports.map(Number))
  createServer((inner) => {
    const outer = connect(socket, () => outer.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`))
    inner.on('error', () => outer.destroy())
    outer.on('error', () => inner.destroy())
    let head = Buffer.alloc(0)
    const onHead = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      outer.off('data', onHead)
      if (!head.toString('latin1', 0, 12).endsWith(' 200')) return void inner.destroy()
      inner.write(head.subarray(end + 4))
      inner.pipe(outer).pipe(inner)
    }
    outer.on('data', onHead)
    outer.on('close', () => inner.destroy())
  })
    // One that only the administrator may open, or a second address with the same one.
    .on('error', (error) => process.stderr.write(`deckhand: port ${port} cannot be opened inside: ${error.message}\n`))
    .listen(port, '127.0.0.1')

const door = createServer((inner) => {
  const outer = connect(socket)
  inner.on('error', () => outer.destroy())
  outer.on('error', () => inner.destroy())
  inner.pipe(outer).pipe(inner)
})

door.listen(0, '127.0.0.1', () => {
  const address = door.address()
  const proxy = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'npm_config_proxy', 'npm_config_https_proxy']
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...env, ...Object.fromEntries(names.map((name) => [name, proxy])), no_proxy: 'localhost,127.0.0.1' },
  })
  // Terminal signals reach the command itself; the bridge stays open until the command has ended.
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGTSTP'] as const) process.on(name, () => {})
  for (const name of ['SIGTERM', 'SIGHUP'] as const) process.on(name, () => child.kill(name))
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(127)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)))
})

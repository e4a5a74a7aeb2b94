import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SocksServer {
  port: number
  /** What it was asked to connect to, as it was written: `name:port`, `v4 …`, `v6 …`. */
  asked: string[]
  close(): void
}

/** A small SOCKS 5 server (RFC 1928, 1929). `hosts` says where names lead; `refuse` is the code of its answer. */
export async function startSocks(
  options: { user?: string; password?: string; hosts?: Record<string, string>; refuse?: number } = {},
): Promise<SocksServer> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    serve(socket, options, asked).catch(() => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

async function serve(
  socket: Socket,
  { user, password = '', hosts = {}, refuse = 0 }: Parameters<typeof startSocks>[0] & object,
  asked: string[],
): Promise<void> {
  const read = async (bytes: number): Promise<Buffer> => {
    for (;;) {
      const chunk: unknown = bytes === 0 ? Buffer.alloc(0) : socket.read(bytes)
      if (Buffer.isBuffer(chunk)) return chunk
      await new Promise<void>((resolve, reject) => {
        socket.once('readable', resolve)
        socket.once('close', () => reject(new Error('It left')))
      })
    }
  }
  const byte = async (): Promise<number> => (await read(1)).readUInt8(0)
  await byte()
  const methods = await read(await byte())
  const method = user === undefined ? 0 : 2
  if (!methods.includes(method)) return void socket.end(Buffer.from([5, 255]))
  socket.write(Buffer.from([5, method]))
  if (user !== undefined) {
    await byte()
    const name = (await read(await byte())).toString()
    const word = (await read(await byte())).toString()
    const isRight = name === user && word === password
    socket.write(Buffer.from([1, isRight ? 0 : 1]))
    if (!isRight) return void socket.end()
  }
  const [, , , kind] = await read(4)
  const host =
    kind === 3
      ? (await read(await byte())).toString()
      : kind === 1
        ? [...(await read(4))].join('.')
        : (await read(16)).toString('hex')
  const port = (await read(2)).readUInt16BE(0)
  asked.push(`${kind === 3 ? '' : kind === 1 ? 'v4 ' : 'v6 '}${host}:${port}`)
  const answer = (code: number): void => void socket.write(Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]))
  if (refuse !== 0) return answer(refuse)
  const [address = '127.0.0.1', other] = (hosts[host] ?? `${host}:${port}`).split(':')
  const upstream = connect({ host: address, port: Number(other) }, () => {
    answer(0)
    upstream.pipe(socket).pipe(upstream)
  })
  upstream.on('error', () => answer(5))
}

// A proxy for tests, as a program of its own: CONNECT and plain requests, with a password if one is given. Names that end
// in .example are looked up in HOSTS (JSON: name → address:port). Each request is told on stdout, a line for each.
import { createServer, request } from 'node:http'
import { connect } from 'node:net'

const wanted = process.env.PROXY_USER ? `Basic ${Buffer.from(process.env.PROXY_USER).toString('base64')}` : null
const hosts = JSON.parse(process.env.HOSTS ?? '{}')
const tell = (...words) => process.stdout.write(`${words.join(' ')}\n`)
const refusal =
  'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="test"\r\nContent-Length: 0\r\n\r\n'
const place = (host, port) => {
  const [address, other] = (hosts[host] ?? `${host}:${port}`).split(':')
  return { host: address, port: Number(other ?? port) }
}

const server = createServer((incoming, response) => {
  tell(incoming.method, incoming.url)
  if (wanted && incoming.headers['proxy-authorization'] !== wanted) {
    response.writeHead(407, { 'proxy-authenticate': 'Basic realm="test"' }).end()
    return
  }
  const url = new URL(incoming.url)
  const { 'proxy-authorization': _, ...headers } = incoming.headers
  const path = url.pathname + url.search
  const outgoing = request(
    { ...place(url.hostname, url.port || 80), method: incoming.method, path, headers },
    (answer) => {
      response.writeHead(answer.statusCode, answer.headers)
      answer.pipe(response)
    },
  )
  outgoing.on('error', () => response.writeHead(502).end())
  incoming.pipe(outgoing)
})
server.on('connect', (incoming, socket, head) => {
  tell('CONNECT', incoming.url)
  socket.on('error', () => {})
  if (wanted && incoming.headers['proxy-authorization'] !== wanted) return socket.end(refusal)
  const [host, port] = incoming.url.split(/:(?=\d+$)/)
  if (host === 'forbidden.example') return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  const upstream = connect(place(host, port), () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    upstream.write(head)
    upstream.pipe(socket).pipe(upstream)
  })
  upstream.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
})
server.listen(0, '127.0.0.1', () => tell('listening', server.address().port))

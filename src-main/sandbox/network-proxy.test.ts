import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { isAllowedHost } from '../approval/allowed-host'
import { createGround, type Ground, sandboxHere } from './test-ground'

const { available } = await sandboxHere()

test('a host is allowed by its own name or as one below a name with a star', () => {
  const hosts = ['packages.example.org', '*.example.com']
  const asked = ['packages.example.org', 'PACKAGES.example.org.', 'example.org', 'a.example.com', 'a.b.example.com']
  expect(
    [...asked, 'example.com', 'evilexample.com', 'a.example.com.evil.org'].map((host) => isAllowedHost(host, hosts)),
  ).toEqual([true, true, false, true, true, false, false, false])
})

describe.skipIf(!available)('a command inside', () => {
  let ground: Ground
  afterEach(() => ground.remove())

  test('reaches the hosts that are allowed, and no others', async () => {
    const server = createServer((_, response) => response.end('reached')).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const hosts = ['127.0.0.1']
    ground = createGround({ hosts: () => hosts })
    // Not every machine has curl; bash can speak to a proxy by itself.
    const fetch = (url: string) =>
      ground.run(
        `bash -c 'proxy=\${http_proxy#http://}; exec 3<>/dev/tcp/\${proxy%:*}/\${proxy#*:} && printf "GET ${url} HTTP/1.0\\r\\n\\r\\n" >&3 && cat <&3 | tee answer && ! grep -q 403 answer'`,
      )
    const allowed = await fetch(`http://127.0.0.1:${port}/`)
    expect(allowed.output).toContain('reached')
    const direct = await ground.run(`bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3'`)
    expect(direct.code).not.toBe(0)
    const refused = await fetch('http://example.org/')
    expect(refused.output).toContain('The sandbox does not let this command connect to example.org.')
    expect(refused.blocked).toBe('It tried to connect to example.org, which is not an allowed host')
    hosts.length = 0
    hosts.push('example.org')
    expect((await fetch(`http://127.0.0.1:${port}/`)).output).toContain('403')
    await new Promise((resolve) => server.close(resolve))
  })

  test('ends with the exit code that it would have had without the door', async () => {
    ground = createGround({ hosts: () => ['example.org'] })
    expect((await ground.run('exit 3')).code).toBe(3)
    expect((await ground.run('echo "$http_proxy|$ELECTRON_RUN_AS_NODE"')).output).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\|\n$/,
    )
  })
})

/** The command line in a network of a company: a proxy with a password, and an authority that only the system knows. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { privateAuthority } from '../src-main/network/testing/private-authority'
import { startProxy } from '../src-main/network/testing/proxy-process'
import { says, scriptedModel } from './scripted-model'

test('run follows HTTPS_PROXY, trusts what the system trusts, and reads its key from a command', async () => {
  const root = mkdtempSync(join(tmpdir(), 'deckhand-network-'))
  const [data, home] = [join(root, 'data'), join(root, 'home')]
  for (const folder of [data, home]) mkdirSync(folder)
  const authority = privateAuthority(root)
  const model = await scriptedModel([says('From behind the proxy.'), says('With a key of a command.')])
  const { port } = new URL(model.baseUrl)
  const secure = createServer(authority.issue('models.example'))
  secure.on('request', (incoming, response) => {
    const { method, url, headers } = incoming
    incoming.pipe(
      request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }),
    )
  })
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  const here = `127.0.0.1:${(secure.address() as AddressInfo).port}`
  const proxy = await startProxy({ user: 'me:open sesame', hosts: { 'models.example': here } })
  const models = [{ id: 'far/scripted', name: 'scripted' }]
  const keySource = { kind: 'command', command: 'printf "sk-from-a-command\\n"' }
  const far = {
    id: 'far',
    name: 'Far',
    kind: 'openai',
    baseUrl: 'https://models.example/v1',
    models,
    listedAt: 1,
    keySource,
  }
  writeFileSync(join(data, 'settings.json'), JSON.stringify({ providers: [far] }))

  const run = (user: string, env: Record<string, string>, ...words: string[]) =>
    new Promise<{ code: number | null; said: string }>((resolve) => {
      const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, '../bin/deckhand.mjs'), 'run', '--data', data, ...words, 'Go'],
        {
          cwd: root,
          env: {
            ...inherited,
            HOME: home,
            SHELL: '/bin/sh',
            DECKHAND_API_KEY: 'sk-of-the-environment',
            HTTPS_PROXY: `http://${user}@127.0.0.1:${proxy.port}`,
            ...env,
          },
        },
      )
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text
        })
      child.stdin.end()
      child.once('close', (code) => resolve({ code, said }))
    })
  const named = ['--base-url', 'https://models.example/v1', '--model', 'scripted']
  const trusted = { SSL_CERT_FILE: authority.file }
  try {
    expect(await run('me:wrong', trusted, ...named)).toEqual({
      code: 1,
      said: expect.stringMatching(/The proxy 127\.0\.0\.1:\d+ refused the user name or the password \(407\)/),
    })
    const unknown = await run('me:open%20sesame', { SSL_CERT_FILE: '/no/such/file' }, ...named)
    expect(unknown.code).toBe(1)
    expect(unknown.said).toMatch(
      /The certificate of models\.example is signed by an authority that this computer does not know/,
    )
    expect(unknown.said).not.toContain('sesame')
    const answered = await run('me:open%20sesame', trusted, ...named)
    expect(answered).toEqual({ code: 0, said: expect.stringContaining('From behind the proxy.') })
    expect(model.requests.at(-1)?.headers.authorization).toBe('Bearer sk-of-the-environment')
    const bySettings = await run('me:open%20sesame', trusted, '--model', 'far/scripted')
    expect(bySettings).toEqual({ code: 0, said: expect.stringContaining('With a key of a command.') })
    expect(model.requests.at(-1)?.headers.authorization).toBe('Bearer sk-from-a-command')
    expect(proxy.asked).toContain('CONNECT models.example:443')
  } finally {
    secure.closeAllConnections()
    secure.close()
    await Promise.all([proxy.close(), model.close()])
    rmSync(root, { recursive: true, force: true })
  }
})

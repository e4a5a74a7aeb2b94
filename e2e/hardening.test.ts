import { execFileSync } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { _electron } from 'playwright'
import { expect, test } from './app'
import { composer } from './steps'

// biome-ignore lint/suspicious/noExplicitAny: what the page may reach is just what is being tested
type Anything = any

test('the page has no powers but its calls, and goes nowhere', async ({ deckhand }) => {
  const { app, window } = deckhand
  await expect(composer(window)).toBeVisible()
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const [only] = BrowserWindow.getAllWindows() as Anything[]
    return only.webContents.getLastWebPreferences()
  })
  expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false })

  const reach = await window.evaluate(async () => {
    const page = globalThis as Anything
    // In a task of its own: what a debugger asks for directly is free of the page's policy.
    const outcome = (work: () => unknown) =>
      new Promise((resolve) => setTimeout(resolve)).then(work).then(
        () => 'allowed',
        () => 'refused',
      )
    const inline = document.createElement('script')
    inline.textContent = 'globalThis.inlineRan = true'
    document.head.append(inline)
    return {
      node: ['process', 'require', 'module', 'Buffer', 'electron'].filter((name) => name in page),
      bridge: Object.keys(page.deckhand).sort(),
      eval: await outcome(() => page.eval('1')),
      inline: page.inlineRan === true,
      network: await outcome(() => fetch('https://example.org/')),
      files: await outcome(() => fetch('file:///etc/passwd')),
      camera: await outcome(() => navigator.mediaDevices.getUserMedia({ video: true })),
      location: (await navigator.permissions.query({ name: 'geolocation' })).state,
      notifications: await Notification.requestPermission(),
      opened: page.open('https://example.org/') !== null,
    }
  })
  expect(reach).toEqual({
    node: [],
    bridge: ['call', 'onEvent', 'pathForFile'],
    eval: 'refused',
    inline: false,
    network: 'refused',
    files: 'refused',
    camera: 'refused',
    location: 'denied',
    notifications: 'denied',
    opened: false,
  })

  const policy = await app.evaluate(async ({ net }) =>
    (await net.fetch('deckhand://app/')).headers.get('content-security-policy'),
  )
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe-eval')
  const outside = await app.evaluate(async ({ net }) =>
    Promise.all(
      ['deckhand://app/../../package.json', 'deckhand://app/%2e%2e/%2e%2e/package.json', 'deckhand://other/'].map(
        (address) =>
          net.fetch(address).then(
            ({ status }) => `answered with ${status}`,
            () => 'nothing there',
          ),
      ),
    ),
  )
  expect(outside).toEqual(['nothing there', 'nothing there', 'nothing there'])

  // Playwright waits for a navigation that never comes, so main is asked what became of it.
  const end = await app.evaluate(async ({ BrowserWindow }) => {
    const [only] = BrowserWindow.getAllWindows() as Anything[]
    const tried: string[] = []
    only.webContents.on('will-frame-navigate', (event: Anything) => tried.push(event.url))
    const run = (script: string) => only.webContents.executeJavaScript(script, true)
    const click = "Object.assign(document.createElement('a'), { href: 'https://example.org/link' }).click()"
    for (const script of [
      click,
      "location.href = 'https://example.org/script'",
      "location.href = 'file:///etc/passwd'",
    ]) {
      await run(script)
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    return { tried, url: only.webContents.getURL(), windows: BrowserWindow.getAllWindows().length }
  })
  expect(end).toEqual({
    tried: ['https://example.org/link', 'https://example.org/script'],
    url: 'deckhand://app/',
    windows: 1,
  })
})

test('a page without a person gets no change through, and what is asked of the person is one box', async ({
  deckhand,
}) => {
  const { app, window } = deckhand
  await expect(composer(window)).toBeVisible()
  await app.evaluate(({ dialog }) => {
    const boxes: string[] = []
    Object.assign(globalThis, { boxes })
    dialog.showMessageBox = (async (_window: unknown, { message }: { message: string }) => {
      boxes.push(message)
      // Long enough for all calls to come while it is open.
      await new Promise((done) => setTimeout(done, 500))
      return { response: 0, checkboxChecked: false }
    }) as never
  })
  const job = { name: 'mine', schedule: { kind: 'every', everyMinutes: 1 }, spec: { mode: 'task', message: 'Go' } }
  const changes: [string, unknown][] = [
    ['schedule.add', { ...job, mode: 'all' }],
    ['schedule.add', job],
    ['settings.update', { gatewayEnabled: true }],
    ['channel.settings', { inboundEnabled: true }],
    ['skill.write', { agentId: 'main', location: 'skills/x/SKILL.md', source: 'agent', content: 'x' }],
    ['app.openLink', { url: 'https://example.org/' }],
  ]
  const replies = await window.evaluate(
    (all) => Promise.all(all.map(([name, input]) => (globalThis as Anything).deckhand.call(name, input))),
    changes,
  )
  expect(replies).toEqual(changes.map(() => ({ ok: false, error: 'Only you can do that.' })))
  expect(await app.evaluate(() => (globalThis as Anything).boxes)).toEqual([
    'Let a scheduled job do everything, without being asked?',
  ])
  const jobs = await window.evaluate(() => (globalThis as Anything).deckhand.call('schedule.list', {}))
  expect(jobs.value.jobs).toEqual([])
})

test('calls that are unknown or malformed are refused and noted', async ({ deckhand }) => {
  const { window, dataDir } = deckhand
  await expect(composer(window)).toBeVisible()
  const junk: [unknown, unknown][] = [
    ['no.such.call', {}],
    ['__proto__', {}],
    ['toString', {}],
    [null, null],
    [{ name: 'hello' }, {}],
    ['hello', { more: 1 }],
    ['session.page', { id: 'x', limit: 1e9 }],
    ['session.update', { id: 'x', mode: 'root' }],
    ['question.answer', { questionId: 'x', answer: { decision: 'allow', scope: 'everywhere' } }],
    ['settings.update', { theme: 'pink' }],
    ['provider.save', { name: 'x', kind: 'openai', baseUrl: 'file:///etc/passwd' }],
    ['process.signal', { id: 'x', signal: 'SIGSTOP; rm -rf /' }],
    ['message.send', { sessionId: 'nobody', text: 'x', attachments: [] }],
  ]
  await composer(window).press('Shift')
  const replies = await window.evaluate(
    (all) => Promise.all(all.map(([name, input]) => (globalThis as Anything).deckhand.call(name, input))),
    junk,
  )
  for (const [at, reply] of replies.entries()) expect([junk[at], reply.ok]).toEqual([junk[at], false])
  expect(JSON.stringify(replies)).not.toMatch(/\bat .*\.js:\d+/)
  // A key: without one, the system would ask whether anybody wants this.
  await composer(window).press('Shift')
  const links = await window.evaluate(
    (urls) => Promise.all(urls.map((url) => (globalThis as Anything).deckhand.call('app.openLink', { url }))),
    ['file:///etc/passwd', 'javascript:alert(1)', 'https://user:word@example.org/', 'nonsense'],
  )
  expect(links.map((reply: Anything) => reply.value)).toEqual([false, false, false, false])
  await deckhand.quit()
  const log = execFileSync('grep', ['-rhE', 'Refused', dataDir, '--include=*.log*'], { encoding: 'utf8' })
  expect(log).toContain('Refused an unknown call')
  expect(log).toContain('Refused a malformed call')
})

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))
const electron = join(checkout, 'node_modules/electron/dist/electron')
const asNobody = ['--reuid=65534', '--regid=65534', '--clear-groups']

/** Chromium's own sandbox needs a normal user who may make name spaces and read the app. */
function sandboxIsPossible(): boolean {
  if (process.platform !== 'linux') return false
  const probe = ['unshare', '--user', 'true']
  try {
    accessSync(electron, constants.X_OK)
    if (process.getuid?.() !== 0) execFileSync(probe[0] as string, probe.slice(1))
    else {
      execFileSync('setpriv', [...asNobody, ...probe])
      execFileSync('setpriv', [...asNobody, 'test', '-r', join(checkout, 'out/main/index.js'), '-a', '-x', electron])
    }
    return true
  } catch {
    return false
  }
}

test('it runs inside the sandbox of the operating system', async () => {
  test.skip(!sandboxIsPossible(), 'needs a normal user who may create name spaces')
  const root = mkdtempSync(join(tmpdir(), 'deckhand-e2e-'))
  const launcher = join(root, 'electron.sh')
  const command =
    process.getuid?.() === 0 ? `exec setpriv ${asNobody.join(' ')} "${electron}" "$@"` : `exec "${electron}" "$@"`
  writeFileSync(launcher, `#!/bin/sh\n${command}\n`, { mode: 0o755 })
  const display = join(root, 'authority')
  const { ELECTRON_RUN_AS_NODE: _, XAUTHORITY: authority, ...env } = process.env as Record<string, string>
  // The key to the display is for its owner's eyes; the normal user gets a copy.
  if (authority) writeFileSync(display, readFileSync(authority), { mode: 0o644 })
  chmodSync(root, 0o777)
  const app = await _electron.launch({
    executablePath: launcher,
    args: [join(checkout, 'out/main/index.js'), `--user-data-dir=${join(root, 'data')}`],
    cwd: root,
    env: { ...env, HOME: root, ...(authority && { XAUTHORITY: display }) },
    chromiumSandbox: true,
    timeout: 60_000,
  })
  try {
    const window = await app.firstWindow({ timeout: 60_000 })
    await expect(composer(window)).toBeVisible()
    const renderer = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
    )
    const status = readFileSync(`/proc/${renderer}/status`, 'utf8')
    expect(status).toMatch(/^Seccomp:\s+2$/m)
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
    expect(status).not.toMatch(/^Uid:\s+0\b/m)
  } finally {
    await app.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
})

import { execFile } from 'node:child_process'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { answer, card, composer, pane, screenOf, toolLine } from '../../e2e/steps'
import { command, fromCheckout, installed, longCommand, openWindow, type Startable } from './installed-app'

test.describe.configure({ mode: 'serial' })

const root = process.env.DECKHAND_PACKAGE_ROOT ?? ''
const here = (path: string) => join(root, path)
/** Starts of the window on each side. */
const startRounds = 8

test('what was installed is where the system looks for it', async () => {
  for (const path of [
    'usr/share/applications/deckhand.desktop',
    'usr/share/icons/hicolor/256x256/apps/deckhand.png',
    'usr/share/metainfo/io.github.deckhand.metainfo.xml',
    'usr/share/bash-completion/completions/deckhand',
    'usr/share/zsh/vendor-completions/_deckhand',
    'usr/share/fish/vendor_completions.d/deckhand.fish',
    'usr/share/man/man1/deckhand.1.gz',
    'usr/share/nemo/actions/deckhand.nemo_action',
    'opt/deckhand/THIRD-PARTY-NOTICES.txt',
    'opt/deckhand/sbom.cdx.json',
    'opt/deckhand/resources/memory-model/model.fp16.safetensors',
  ])
    expect(existsSync(here(path)), path).toBe(true)
  const { stdout } = await command(['xdg-mime', 'query', 'default', 'x-scheme-handler/deckhand-link'])
  expect(stdout.trim()).toBe('deckhand.desktop')
})

test('the list of parts and the notices name what is bundled', async () => {
  const sbom = JSON.parse(readFileSync(here('opt/deckhand/sbom.cdx.json'), 'utf8'))
  const names: string[] = sbom.components.map(({ name }: { name: string }) => name)
  const notices = readFileSync(here('opt/deckhand/THIRD-PARTY-NOTICES.txt'), 'utf8')
  for (const name of ['electron', 'react', 'katex', 'mermaid', 'dompurify', 'node-pty', 'zod', 'ws'])
    expect({ name, listed: names.includes(name) }).toEqual({ name, listed: true })
  const titles = new Set([...notices.matchAll(/^(\S+) \d\S* \(/gm)].map(([, name]) => name?.toLowerCase()))
  expect(names.filter((name) => !titles.has(name.toLowerCase()))).toEqual([])
})

test('the command line works without a display', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  expect((await command(['deckhand', '--version'])).stdout).toContain(version)
  expect(await command(['deckhand', 'help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('deckhand COMMAND'),
  })
  expect(await command(['deckhand', 'nonsense'])).toMatchObject({ code: 2 })
})

test('a node of the same package connects to a gateway of it, encrypted, and offers to start by itself', async () => {
  const gateway = longCommand([
    'deckhand',
    'gateway',
    '--host',
    '0.0.0.0',
    '--add',
    'far',
    '--data',
    '/home/tester/gateway',
  ])
  try {
    await expect.poll(gateway.said, { timeout: 60_000 }).toContain('--pin sha256:')
    const words = /deckhand (node .*)/.exec(gateway.said())?.[1]?.split(' ') ?? []
    const here = words.map((word) => word.replace(/^wss:\/\/[^:]+/, 'wss://127.0.0.1'))
    const unit = await command(['deckhand', ...here, '--install-unit'])
    expect(unit.output).toContain('systemctl --user daemon-reload')
    const text = readFileSync(join(root, 'home/tester/.config/systemd/user/deckhand-node-far.service'), 'utf8')
    expect(text).toMatch(/^ExecStart="\/opt\/deckhand\/bin\/deckhand" "node" "--gateway" "wss:/m)
    const node = longCommand(['deckhand', ...here])
    try {
      await expect.poll(gateway.said, { timeout: 60_000 }).toContain('Node far connected')
    } finally {
      await node.stop()
    }
  } finally {
    await gateway.stop()
  }
})

test('it tells its version no later than a bundled Node would start', async () => {
  /** The middle one of five. */
  const timed = async (work: () => Promise<unknown>) => {
    const times: number[] = []
    for (let round = 0; round < 5; round++) {
      const begun = performance.now()
      await work()
      times.push(performance.now() - begun)
    }
    return times.sort((a, b) => a - b)[2] ?? 0
  }
  // The checkout's Electron as plain Node, for which the installed one has no way any more.
  const electron = join(import.meta.dirname, '../../node_modules/electron/dist/electron')
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  const nodes = await timed(() => promisify(execFile)(electron, ['-e', '0'], { env }))
  const ours = await timed(() => command(['deckhand', '--version']))
  console.log(`deckhand --version ${ours.toFixed(0)} ms, Node of Electron ${nodes.toFixed(0)} ms`)
  expect(ours).toBeLessThanOrEqual(1.2 * nodes)
})

test('a newcomer starts it, is guided, approves, watches a terminal, quits and finds everything again', async () => {
  const { window, quit } = await openWindow()
  await expect(window.getByText('The built-in offline guide answers until you add a model.')).toBeVisible()
  const suggestion = (name: string) => window.getByRole('button', { name: new RegExp(`^${name}`) })
  await suggestion('Run a command').click()
  await expect(toolLine(window, 'ls -la')).toContainText('done')
  await expect(screenOf(pane(window, 'ls -la'))).toContainText('total')
  await window.keyboard.press('Control+N')
  await suggestion('Create a file').click()
  await expect(card(window)).toContainText('Hello from Deckhand')
  await answer(card(window), 'Allow once')
  await expect(toolLine(window, 'hello.md')).toContainText('done')
  expect(readFileSync(here('home/tester/hello.md'), 'utf8')).toContain('Hello from Deckhand')
  expect(await quit()).toBe(0)

  const again = await openWindow()
  await expect(toolLine(again.window, 'hello.md')).toContainText('done')
  await expect(composer(again.window)).toBeVisible()
  expect(await again.quit()).toBe(0)
})

test('the window is there no later than from the checkout', async () => {
  test.setTimeout(900_000)
  type Start = { ms: number; processorMs: number }
  const launch = async ({ words, readable }: Startable): Promise<Start> => {
    // Data and caches of its own: what one has compiled and written must not help or hinder the other.
    const data = `--user-data-dir=/home/tester/start-of-${words.length > 1 ? 'checkout' : 'package'}`
    const begun = performance.now()
    const { window, processorMs, quit } = await openWindow({ words: [...words, data], readable })
    await expect(composer(window)).toBeVisible()
    const took = { ms: performance.now() - begun, processorMs: processorMs() }
    expect(await quit()).toBe(0)
    return took
  }
  // One of each before it counts: what a first start reads from the disk and compiles is there for the next.
  await launch(fromCheckout)
  await launch(installed)
  const [ours, theirs]: [Start[], Start[]] = [[], []]
  for (let round = 0; round < startRounds; round++) {
    // Each goes first as often as the other.
    const order = round % 2 === 0 ? [fromCheckout, installed] : [installed, fromCheckout]
    for (const app of order) (app === installed ? ours : theirs).push(await launch(app))
  }
  // The best of each: whatever else the machine does only makes a start slower.
  const best = (list: Start[], what: keyof Start) => Math.min(...list.map((each) => each[what]))
  const ratio = (what: keyof Start) => best(ours, what) / best(theirs, what)
  const told = (list: Start[]) => `${best(list, 'ms').toFixed(0)} ms (processor ${best(list, 'processorMs')} ms)`
  console.log(
    `window after ${told(ours)}, from the checkout after ${told(theirs)}: ${ratio('ms').toFixed(2)} × by the clock, ${ratio('processorMs').toFixed(2)} × by the processor`,
  )
  expect(ratio('ms')).toBeLessThanOrEqual(1.05)
  expect(ratio('processorMs')).toBeLessThanOrEqual(1.05)
})

test('the command line runs a turn on the same data', async () => {
  const { code, output } = await command(['deckhand', 'run', '--model', 'guide', 'read hello.md'])
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Hello from Deckhand') })
})

test('shells complete it, its manual can be read, and what the desktop reads is valid', async () => {
  const programs = ['bash-completion', 'zsh', 'fish', 'man-db', 'appstream', 'desktop-file-utils']
  const got = await command(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...programs], 'root')
  expect(got.code, got.output.slice(-2000)).toBe(0)
  const bash =
    '. /usr/share/bash-completion/bash_completion; _completion_loader deckhand; COMP_WORDS=(deckhand gatew); COMP_CWORD=1; ' +
    '$(complete -p deckhand | sed "s/.*-F \\([^ ]*\\).*/\\1/") deckhand gatew deckhand; echo $COMPREPLY'
  const zsh = 'autoload -Uz compinit; compinit -u -D; autoload +X _deckhand; print $_comps[deckhand]; which _deckhand'
  const offered = {
    bash: (await command(['bash', '-c', bash])).output,
    zsh: (await command(['zsh', '-f', '-c', zsh])).output,
    fish: (await command(['fish', '-c', 'complete -C "deckhand gatew"'])).output,
  }
  for (const [shell, output] of Object.entries(offered)) expect(output, shell).toMatch(/\bgateway\b/)
  expect(offered.zsh).toContain('_deckhand')
  const page = await command(['sh', '-c', 'man --warnings -E UTF-8 -l /usr/share/man/man1/deckhand.1.gz'])
  expect(page).toMatchObject({ code: 0, output: expect.stringContaining('deckhand COMMAND') })
  expect(page.output).not.toMatch(/warning/i)
  for (const words of [
    ['desktop-file-validate', '/usr/share/applications/deckhand.desktop'],
    ['appstreamcli', 'validate', '--no-net', '/usr/share/metainfo/io.github.deckhand.metainfo.xml'],
  ]) {
    const { code, output } = await command(words)
    expect({ words, code, output }).toMatchObject({ code: 0 })
  }
})

test('removed, it leaves nothing but the data of the user', async () => {
  const removed = await command(['apt-get', 'purge', '-y', '-qq', 'deckhand', 'deckhand-memory-model'], 'root')
  expect(removed.code, removed.output).toBe(0)
  const { stdout } = await command(['find', '/', '-xdev', '-iname', '*deckhand*', '-not', '-path', '/proc/*'], 'root')
  const left = stdout.split('\n').filter((path) => path && !path.startsWith('/home/tester/'))
  expect(left.filter((path) => !path.startsWith('/var/lib/apt/') && !path.startsWith('/tmp/'))).toEqual([])
  expect(existsSync(here('home/tester/.config/deckhand/deckhand.db'))).toBe(true)
})

/** Also for a link, which leads to somewhere inside. */
const isThere = (path: string): boolean => lstatSync(here(path), { throwIfNoEntry: false }) !== undefined

const rpm = process.env.DECKHAND_PACKAGE_RPM ?? ''

test('the rpm is installed by rpm itself, works on the same data, and leaves nothing either', async () => {
  test.skip(rpm === '', 'There is no rpmbuild here')
  const byRpm = (...words: string[]) =>
    // What it needs has other names on Fedora; here it is there from the deb.
    promisify(execFile)('rpm', ['--root', root, '--dbpath', '/var/lib/rpm', ...words], { maxBuffer: 1e8 })
  await byRpm('--install', '--nodeps', rpm)
  const { stdout: listed } = await byRpm('--query', '--list', 'deckhand')
  const missing = listed.split('\n').filter((path) => path.startsWith('/') && !isThere(path))
  expect(missing).toEqual([])
  expect((await command(['deckhand', '--version'])).code).toBe(0)
  const { code, output } = await command(['deckhand', 'run', '--model', 'guide', 'read hello.md'])
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Hello from Deckhand') })
  await byRpm('--erase', 'deckhand')
  expect(listed.split('\n').filter((path) => path.startsWith('/opt/') && isThere(path))).toEqual([])
  expect(isThere('usr/bin/deckhand')).toBe(false)
  expect(isThere('usr/share/applications/deckhand.desktop')).toBe(false)
})

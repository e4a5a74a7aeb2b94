import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SerializeAddon } from '@xterm/addon-serialize'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import headless from '@xterm/headless'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Cast } from '../../src-preload/contract/replay'
import { appliedUntil } from '../../src-renderer/replay/cast-position'
import { startProcess } from '../pty-host/hosted-process'
import { createLauncher } from '../pty-host/launcher'
import { createSanitiser } from '../pty-host/sanitise'
import { createUtf8Stream } from '../pty-host/utf8-stream'
import { readCast } from './cast'
import { cleanReplay } from './clean'
import { htmlOf } from './html'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-replay-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A small generator, so that a failure can be looked at again. */
const random = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296
  return seed / 4_294_967_296
}

/** Draws, overwrites, scrolls, changes screens and colours, in uneven steps. */
const program = String.raw`
  $| = 1; binmode(STDOUT, ':utf8'); srand(7);
  my @words = ("plain", "w\x{ef}de \x{65e5}\x{672c}\x{8a9e}", "\e[31mred\e[0m", "\e[1;44mbold\e[0m", "\e[38;2;10;200;30mtrue\e[0m", "\x{1f680}", "tab\there");
  for my $step (1 .. 2000) {
    my $kind = int(rand(9));
    if ($kind == 0) { printf("\r\e[Kprogress %d%%", $step) }
    elsif ($kind == 1) { printf("\e[%d;%dH%s", 1 + rand(20), 1 + rand(60), $words[rand @words]) }
    elsif ($kind == 2) { print("\e[?1049h\e[2J\e[H" . "full screen $step") }
    elsif ($kind == 3) { print("\e[?1049l") }
    elsif ($kind == 4) { print("\e[s\e[3;10r\e[10;1H\n\n\e[r\e[u") }
    else { print(join(' ', map { $words[rand @words] } 1 .. 4) . " $step\r\n") }
    select(undef, undef, undef, 0.018 + rand(0.045));
  }
`

const emulator = (size: { cols: number; rows: number }) => {
  const terminal = new headless.Terminal({ ...size, scrollback: 10_000, allowProposedApi: true })
  const serializer = new SerializeAddon()
  // biome-ignore lint/suspicious/noExplicitAny: made for the terminal with a display, and only reads its buffer
  serializer.activate(terminal as any)
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  return {
    // biome-ignore lint/suspicious/noExplicitAny: at once, so that no output comes in between
    write: (text: string) => (terminal as any)._core.writeSync(text),
    resize: (cols: number, rows: number) => terminal.resize(cols, rows),
    look: () => `${terminal.cols}×${terminal.rows} ${serializer.serialize()}`,
    dispose: () => terminal.dispose(),
  }
}

/** The screen that a replay shows at a moment. */
const replayed = (cast: Cast, time: number): string => {
  const screen = emulator(cast)
  for (const event of cast.events.slice(0, appliedUntil(cast.events, time))) {
    if (event[1] === 'output') screen.write(event[2])
    if (event[1] === 'size') screen.resize(event[2], event[3])
  }
  const seen = screen.look()
  screen.dispose()
  return seen
}

test('a replay shows what the live terminal showed, at 200 random moments', { timeout: 60_000 }, async () => {
  const next = random(42)
  const size = { cols: 90, rows: 24 }
  const logPath = join(folder, 'p1.log')
  const live = emulator(size)
  const decoder = createUtf8Stream()
  const sanitiser = createSanitiser({ rows: () => 24, live: true })
  const samples: { time: number; screen: string }[] = []
  /** What changes the screen within a millisecond cannot be told from before it. */
  let changedAt = 0
  const changed = () => {
    changedAt = Date.now()
    const last = samples.at(-1)
    if (last && changedAt - last.time <= 1) samples.pop()
  }
  const launcher = createLauncher()
  const exited = Promise.withResolvers<void>()
  const script = join(folder, 'program.pl')
  writeFileSync(script, program)
  const startedAt = Date.now()
  const running = await startProcess(
    { id: 'p1', argv: ['perl', script], cwd: folder, env: { PATH: process.env.PATH ?? '' }, tty: size, logPath },
    (event) => event.type === 'exit' && exited.resolve(),
    () => {},
    launcher,
    (chunk) => {
      changed()
      live.write(sanitiser.push(decoder.push(chunk)))
    },
  )
  let over = false
  const sample = () => {
    if (over) return
    const time = Date.now()
    if (time > changedAt + 1) samples.push({ time, screen: live.look() })
    if (samples.length >= 210) {
      over = true
      running.signal('SIGTERM')
      return
    }
    if (next() < 0.04) {
      const [cols, rows] = [70 + Math.floor(next() * 40), 18 + Math.floor(next() * 10)]
      changed()
      running.resize(cols, rows)
      live.resize(cols, rows)
    }
    setTimeout(sample, 3 + next() * 40)
  }
  sample()
  await exited.promise
  launcher.close()

  const cast = await readCast(logPath, { tty: true, startedAt, endedAt: Date.now() })
  expect(samples.length).toBeGreaterThanOrEqual(200)
  const wrong = samples
    .toSorted(() => next() - 0.5)
    .slice(0, 200)
    .filter(({ time, screen }) => replayed(cast, time) !== screen)
  expect(wrong.map(({ time }) => time - startedAt)).toEqual([])
  expect(replayed(cast, Number.MAX_SAFE_INTEGER)).toBe(live.look())
  expect(new Set(samples.map(({ screen }) => screen)).size).toBeGreaterThan(100)
  live.dispose()
})

test('what was typed at a hidden prompt is in no frame, and what was shown is there with who typed it', async () => {
  const logPath = join(folder, 'p2.log')
  const launcher = createLauncher()
  const exited = Promise.withResolvers<void>()
  const command =
    'read -p "name? " n; stty -echo; read -p "password? " p; stty echo; echo; read -p "sure? " s; echo "hi $n"; sleep 0.6'
  let output = ''
  let secret = false
  const startedAt = Date.now()
  const running = await startProcess(
    {
      id: 'p2',
      argv: ['bash', '-c', command],
      cwd: folder,
      env: { PATH: process.env.PATH ?? '' },
      tty: { cols: 80, rows: 24 },
      logPath,
    },
    (event) => {
      if (event.type === 'secret-input') secret = event.active
      if (event.type === 'exit') exited.resolve()
    },
    () => {},
    launcher,
    (chunk) => {
      output += Buffer.from(chunk).toString()
    },
  )
  await expect.poll(() => output).toContain('name?')
  running.type('Ada\r')
  await expect.poll(() => secret, { timeout: 5000 }).toBe(true)
  for (const key of 'hunter22') running.type(key)
  running.type('\r')
  await expect.poll(() => output).toContain('sure?')
  await running.write('yes\n')
  await exited.promise
  launcher.close()
  const cast = await readCast(logPath, { tty: true, startedAt, endedAt: Date.now() })
  const typed = cast.events.flatMap((event) => (event[1] === 'typed' ? [[event[2], event[3]]] : []))
  expect(typed).toEqual([
    ['user', 'Ada\n'],
    ['user', ''],
    ['agent', 'yes\n'],
  ])
  expect(JSON.stringify(cast)).not.toContain('hunter')
  expect(JSON.stringify(cast)).toContain('hi Ada')
})

test('a long log is shown from near its end, one without times as a whole, and one without output as empty', async () => {
  const long = join(folder, 'long.log')
  writeFileSync(long, Array.from({ length: 40_000 }, (_, line) => `line ${line}\r\n`).join(''))
  const cast = await readCast(long, { tty: true, startedAt: 1000, endedAt: 9000 }, 100_000)
  expect(cast).toMatchObject({ untimed: true, cols: 120, rows: 30 })
  expect(cast.skipped).toBeGreaterThan(300_000)
  expect(replayed(cast, 9000)).toContain('line 39999')
  expect(replayed(cast, 999)).not.toContain('line')
  expect(await readCast(join(folder, 'none.log'), { tty: true, startedAt: 1, endedAt: 2 })).toMatchObject({
    events: [],
  })
})

test('an exported file holds no secrets, also where one came in two pieces, and nothing ends its script', () => {
  const secret = 'sk-live-abcdefgh12345678'
  const clean = (text: string) => text.replaceAll(secret, '[hidden]')
  const replay = cleanReplay(
    {
      title: '</title><script>alert(1)</script>',
      start: 0,
      end: 10,
      omitted: 0,
      messages: [{ id: 'm', at: 0, until: null, role: 'user', parts: [{ type: 'text', text: `my ${secret}` }] }],
      terminals: [
        {
          id: 'p',
          command: `curl -H ${secret}`,
          node: 'local',
          byUser: false,
          startedAt: 0,
          endedAt: 5,
          exitCode: 0,
          active: [],
          cast: {
            cols: 80,
            rows: 24,
            skipped: 0,
            untimed: false,
            events: [
              [1, 'output', `key: ${secret.slice(0, 9)}`],
              [2, 'output', `${secret.slice(9)} and more`],
              [3, 'typed', 'user', secret],
              [4, 'output', '</script>'],
            ],
          },
        },
      ],
    },
    clean,
  )
  const html = htmlOf(replay, { script: 'play("</script>")', style: 'p::before { content: "</style>" }' })
  expect(html).not.toContain('abcdefgh')
  expect(html).toContain('key: [hidden] and more')
  expect(html.match(/<script/g)).toHaveLength(2)
  expect(html.match(/<\/script>/g)).toHaveLength(2)
  expect(html).toContain("default-src 'none'; script-src 'sha256-")
})

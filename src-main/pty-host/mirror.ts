import { open } from 'node:fs/promises'
import type { SerializeAddon } from '@xterm/addon-serialize'
import type { Terminal } from '@xterm/headless'
import { scrollbackLines, snapshotBytes } from '../../src-preload/contract/terminal'
import type { Screen } from './process'
import { createSanitiser, type Sanitiser, type SanitiserOptions } from './sanitise'
import type { ScreenHistory } from './screen-history'
import { withLinksInText } from './snapshot-links'
import { mendSerialized, stateBeyondText } from './snapshot-state'
import { createUtf8Stream, type Utf8Stream } from './utf8-stream'

/** What is read for a snapshot during a flood that nobody can follow anyway. */
const GLANCE_BYTES = 32 * 1024
const GLANCE_LINES = 50
/** Enough for a screen that was drawn piece by piece, which the last few lines do not show. */
const DRAWN_BYTES = 1024 * 1024
/** A few milliseconds of parsing; between two pieces everything else runs, above all typing. */
const PIECE_BYTES = 64 * 1024
/** An unused mirror is dropped; it can be rebuilt from the log. */
const IDLE_MS = 10_000

export type SnapshotKind = 'whole' | 'glance'

export interface Snapshot {
  data: string
  cols: number
  rows: number
  /** The decoder's state at this byte, to continue from here. */
  decoder: Utf8Stream
  sanitiser: Sanitiser
}

/**
 * A terminal without a display, which reads the log when the screen is asked for, and costs nothing otherwise. It never
 * blocks the program: if it is far behind, it starts again closer to the end.
 */
export interface Mirror {
  /** The screen and its scrollback at `offset`, which must have reached the file. */
  snapshot(offset: number, kind: SnapshotKind): Promise<Snapshot>
  screen(offset: number): Promise<Screen>
  dispose(): void
}

interface Emulator {
  terminal: Terminal
  serializer: SerializeAddon
  decoder: Utf8Stream
  sanitiser: Sanitiser
  /** The part of the log that it has read. */
  from: number
  to: number
}

export function createMirror(options: {
  logPath: string
  history: ScreenHistory
  cleaning(): Omit<SanitiserOptions, 'rows'>
}): Mirror {
  const { logPath, history } = options
  let emulator: Emulator | null = null
  let turn: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | null = null

  const drop = () => {
    emulator?.terminal.dispose()
    emulator = null
  }

  /** One request at a time; each restarts the idle timer. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (idle) clearTimeout(idle)
    const result = turn.then(work)
    turn = result.then(
      () => {},
      () => {},
    )
    idle = setTimeout(() => void inTurnDrop(), IDLE_MS)
    idle.unref()
    return result
  }
  const inTurnDrop = () => turn.then(drop)

  const read = async (offset: number, bytes: number): Promise<Emulator> => {
    const wanted = Math.max(0, offset - bytes)
    let current = emulator
    if (!current || current.to > offset || current.from > wanted || current.to < wanted) {
      drop()
      const from = await startOfReplay(logPath, wanted, offset)
      current = await createEmulator(history, from, options.cleaning())
      emulator = current
    }
    await feed(current, logPath, history, offset)
    return current
  }

  const screenBytes = (offset: number) =>
    /\x1b\[\?(?:47|10)/.test(history.modesAt(offset)) ? DRAWN_BYTES : GLANCE_BYTES

  return {
    snapshot: (offset, kind) =>
      inTurn(async () => {
        const whole = kind === 'whole'
        const bytes = whole ? snapshotBytes : screenBytes(offset)
        const { terminal, serializer, decoder, sanitiser } = await read(offset, bytes)
        const text = serializer.serialize({ scrollback: whole ? scrollbackLines : GLANCE_LINES })
        return {
          data: mendSerialized(text) + stateBeyondText(terminal),
          cols: terminal.cols,
          rows: terminal.rows,
          decoder: decoder.fork(),
          sanitiser: sanitiser.fork(),
        }
      }),
    screen: (offset) => inTurn(async () => readScreen((await read(offset, DRAWN_BYTES)).terminal)),
    dispose() {
      if (idle) clearTimeout(idle)
      void inTurnDrop()
    },
  }
}

async function createEmulator(
  history: ScreenHistory,
  from: number,
  cleaning: Omit<SanitiserOptions, 'rows'>,
): Promise<Emulator> {
  const [{ default: headless }, { SerializeAddon: Serializer }, { Unicode11Addon }] = await Promise.all([
    import('@xterm/headless'),
    import('@xterm/addon-serialize'),
    import('@xterm/addon-unicode11'),
  ])
  const terminal = new headless.Terminal({
    ...history.sizeAt(from),
    scrollback: scrollbackLines,
    allowProposedApi: true,
    logLevel: 'off',
  })
  const serializer = new Serializer()
  serializer.activate(withLinksInText(terminal) as unknown as Parameters<SerializeAddon['activate']>[0])
  // The panes measure characters with the same table; otherwise lines would wrap differently.
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  const sanitiser = createSanitiser({ rows: () => terminal.rows, ...cleaning })
  if (from > 0) terminal.write(history.modesAt(from))
  return { terminal, serializer, decoder: createUtf8Stream(), sanitiser, from, to: from }
}

async function feed(emulator: Emulator, logPath: string, history: ScreenHistory, offset: number): Promise<void> {
  const takeSize = () => {
    const { cols, rows } = history.sizeAt(emulator.to)
    emulator.terminal.resize(cols, rows)
  }
  // It may have been resized at this byte. Resizing later would undo the scroll region.
  takeSize()
  if (emulator.to === offset) return
  const file = await open(logPath, 'r')
  try {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES)
    while (emulator.to < offset) {
      const resize = history.resizeAfter(emulator.to)
      const until = Math.min(offset, emulator.to + PIECE_BYTES, resize?.offset ?? Number.POSITIVE_INFINITY)
      const { bytesRead } = await file.read(buffer, 0, until - emulator.to, emulator.to)
      if (bytesRead === 0) return
      const text = emulator.sanitiser.push(emulator.decoder.push(buffer.subarray(0, bytesRead)))
      await new Promise<void>((done) => emulator.terminal.write(text, done))
      emulator.to += bytesRead
      if (resize?.offset === emulator.to) takeSize()
    }
  } finally {
    await file.close()
  }
}

/** The first line that begins at or after `wanted`, so that no character or sequence is cut. */
async function startOfReplay(logPath: string, wanted: number, offset: number): Promise<number> {
  if (wanted === 0) return 0
  const file = await open(logPath, 'r')
  try {
    const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, offset - wanted))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, wanted)
    return wanted + buffer.subarray(0, bytesRead).indexOf(0x0a) + 1
  } finally {
    await file.close()
  }
}

function readScreen(terminal: Terminal): Screen {
  const buffer = terminal.buffer.active
  const rows: string[] = []
  for (let y = 0; y < terminal.rows; y++) rows.push(buffer.getLine(buffer.baseY + y)?.translateToString(true) ?? '')
  return { rows, cursor: { x: buffer.cursorX, y: buffer.cursorY }, alternate: buffer.type === 'alternate' }
}

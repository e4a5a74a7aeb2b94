import type { LineMode } from './child'

const QUIET_MS = 120
/** On another machine each look runs a command, so short pauses in the output must not cause many. */
const FAR_QUIET_MS = 600
/** While a password is asked for, the end of that should be noticed soon. */
const ACTIVE_MS = 40
/** A result stays valid this long even if output continues: an interactive shell echoes every key. */
const TRUST_MS = 1000
/** Starting a process takes a moment, which would delay an echo. */
const SOON_MS = 30
/** Echoes of keys come in small pieces; anything longer may be the prompt of another program. */
const ECHO_BYTES = 3
const LINE_FEED = 0x0a

/**
 * Notices when a program asks for a password: line editing is on and echo is off. Each look starts a process, so it
 * happens only when output pauses in the middle of a line, as after a prompt, or when somebody types.
 */
interface SecretWatch {
  readonly active: boolean
  output(chunk: Uint8Array): void
  /** The last result if it is still valid for what is typed now, otherwise looks. */
  ask(): boolean | Promise<boolean>
  /** The same for single keys: a look, if needed, waits until their echo was read. */
  askSoon(): Promise<boolean>
  /** Enter was pressed: the last result may no longer be valid. */
  entered(): void
  stop(): void
}

export function createSecretWatch(
  lineMode: () => Promise<LineMode | null>,
  onChange: (active: boolean) => void,
  far = false,
): SecretWatch {
  let active = false
  let lastOutput = 0
  /** When the last look began; it cannot reflect anything later. */
  let lookedAt = Number.NEGATIVE_INFINITY
  let enteredAt = 0
  /** When output came that may have been a prompt: earlier looks say nothing about what is typed at it. */
  let promptAt = 0
  let looking: Promise<boolean> | null = null
  let soon: Promise<boolean> | null = null
  let timer: NodeJS.Timeout | null = null
  let midLine = false
  let stopped = false

  const look = (): Promise<boolean> => {
    looking ??= (async () => {
      const began = performance.now()
      const mode = await lineMode()
      looking = null
      lookedAt = began
      const secret = mode?.canonical === true && !mode.echo
      if (secret !== active && !stopped) {
        active = secret
        onChange(secret)
      }
      return secret
    })()
    return looking
  }
  const lineBegan = () => Math.max(enteredAt, promptAt)
  /** A look that began before Enter was pressed, or before a prompt came, reflects the previous line. */
  const lookAfter = async (moment: number): Promise<boolean> => {
    const seen = await look()
    return lookedAt > moment ? seen : lookAfter(moment)
  }
  const isKnown = () => lookedAt > lineBegan() && (lookedAt > lastOutput || performance.now() - lookedAt < TRUST_MS)
  const lookWhenQuiet = () => {
    if (timer || stopped) return
    const delay = active ? ACTIVE_MS : far ? FAR_QUIET_MS : QUIET_MS
    timer = setTimeout(() => {
      timer = null
      if (stopped || (!midLine && !active)) return
      if (performance.now() - lastOutput < delay - 1) return lookWhenQuiet()
      if (lookedAt < lastOutput) void look()
    }, delay)
    timer.unref()
  }

  return {
    get active() {
      return active
    },
    output(chunk) {
      lastOutput = performance.now()
      if (chunk.length > ECHO_BYTES) promptAt = lastOutput
      midLine = chunk[chunk.length - 1] !== LINE_FEED
      if (midLine || active) lookWhenQuiet()
    },
    ask: () => (isKnown() ? active : lookAfter(lineBegan())),
    askSoon() {
      if (soon) return soon
      if (isKnown()) return Promise.resolve(active)
      const asked = new Promise<void>((resolve) => setTimeout(resolve, SOON_MS)).then(() => lookAfter(lineBegan()))
      soon = asked.finally(() => {
        soon = null
      })
      return soon
    },
    entered() {
      enteredAt = performance.now()
      if (active) lookWhenQuiet()
    },
    stop() {
      stopped = true
      if (timer) clearTimeout(timer)
    },
  }
}

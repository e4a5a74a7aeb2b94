import type { LineMode } from './child'

const QUIET_MS = 120
/** Elsewhere a look costs a command there: output that pauses now and then should not cause many. */
const FAR_QUIET_MS = 600
/** While a password is asked for, its end should be noticed soon. */
const ACTIVE_MS = 40
/** What was seen holds this long although output goes on: an interactive shell echoes every key. */
const TRUST_MS = 1000
/** To start a process takes a moment, in which an echo would wait. */
const SOON_MS = 30
/** Echoes of keys come in small pieces; anything longer may be the prompt of another program. */
const ECHO_BYTES = 3
const LINE_FEED = 0x0a

/**
 * Notices when a program asks for a password: it leaves line editing on and turns echo off. Looking costs a process, so
 * it happens only when output paused in the midst of a line, as a prompt does, or when somebody types.
 */
interface SecretWatch {
  readonly active: boolean
  output(chunk: Uint8Array): void
  /** The last known answer if it can be relied on for what is typed now, otherwise looks. */
  ask(): boolean | Promise<boolean>
  /** The same for single keys: a look, if one is needed, waits until their echo is through. */
  askSoon(): Promise<boolean>
  /** Somebody pressed Enter: whatever was known may change now. */
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
  /** When the last look began; what came later it cannot know of. */
  let lookedAt = Number.NEGATIVE_INFINITY
  let enteredAt = 0
  /** When output came that may have been a prompt: what was seen before says nothing about what is typed at it. */
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
  /** A look that was under way when Enter was pressed, or a prompt came, saw the line before. */
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

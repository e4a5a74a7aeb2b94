import type { Child } from './child'
import type { ProcessEvent, Screen } from './process'
import { createPromptWatch } from './prompt-watch'
import { createSecretWatch } from './secret-watch'
import type { TerminalUse } from './terminal-use'
import { createTypedKeys } from './typed-keys'

/**
 * Keys that interrupt, end or suspend a program. They are not part of a password, and may end the program that asks.
 */
const INTERRUPTS = new Set(['\x03', '\x04', '\x1a', '\x1c'])

/** What the user types into one process: written at once, and reported to the agent unless it is a password. */
export interface UserInput {
  /** `scrolled` input is not reported: it only scrolls the view. */
  type(data: string, scrolled?: boolean): void
  /** Whether the program asks for a password right now. */
  isSecret(): boolean | Promise<boolean>
  /** Output of the program, which may contain prompts. */
  output(chunk: Uint8Array): void
  stop(): void
}

export function createUserInput(options: {
  child: Pick<Child, 'write' | 'lineMode'>
  tty: boolean
  /** The terminal is on another machine, so each look at it costs more. */
  far?: boolean
  /** What the programs in the foreground do; absent if that cannot be known. */
  use?(raw: boolean): TerminalUse
  screen?(): Promise<Screen>
  emit(event: ProcessEvent): void
}): UserInput {
  const { child, tty, far = false, emit } = options
  const keys = createTypedKeys((text) => emit({ type: 'typed', text }))
  const prompt = createPromptWatch({
    lineMode: () => child.lineMode(),
    use: options.use,
    screen: options.screen,
    onChange: (asked) => emit({ type: 'prompt', prompt: asked }),
  })
  const secret = createSecretWatch(
    () => child.lineMode(),
    (active) => {
      emit({ type: 'secret-input', active })
      prompt.hidden(active)
    },
    far,
  )
  /** Keys after an Enter that waits for the password check, so that their order is kept. */
  let queue: Promise<void> | null = null

  const write = (data: string) => writeTo(child, data)
  const tell = (data: string, hidden: boolean) => {
    if (hidden) keys.addSecret(data)
    else keys.add(data)
  }

  /** Keys that were written, but must not be reported before it is known whether they were hidden. */
  let unverified: string[] = []
  const settle = (hidden: boolean) => {
    const pieces = unverified
    unverified = []
    for (const data of pieces) tell(data, hidden)
  }

  /** Returns a promise if the keys wait for the password check. */
  const typeNow = (data: string, scrolled: boolean): Promise<void> | null => {
    if (scrolled) {
      write(data)
      return null
    }
    if (INTERRUPTS.has(data) && unverified.length === 0) {
      keys.add(data)
      write(data)
      return null
    }
    if (!tty || !/[\r\n]/.test(data)) {
      write(data)
      unverified.push(data)
      if (tty) void secret.askSoon().then(settle)
      else settle(false)
      return null
    }
    // After Enter the program may turn echo back on, so the whole line has to be checked before.
    const enter = (hidden: boolean) => {
      write(data)
      secret.entered()
      unverified.push(data)
      settle(hidden)
    }
    const verdict = secret.ask()
    if (typeof verdict !== 'boolean') return verdict.then(enter)
    enter(verdict)
    return null
  }

  const keepOrder = (pending: Promise<void>) => {
    const entry = pending.finally(() => {
      if (queue === entry) queue = null
    })
    queue = entry
  }

  return {
    type(data, scrolled = false) {
      const pending = queue ? queue.then(() => typeNow(data, scrolled) ?? undefined) : typeNow(data, scrolled)
      if (pending) keepOrder(pending)
    },
    isSecret: () => secret.ask(),
    output(chunk) {
      secret.output(chunk)
      prompt.output(chunk)
    },
    stop() {
      secret.stop()
      prompt.stop()
      keys.flush()
    },
  }
}

const writeTo = (child: Pick<Child, 'write'>, data: string): void => {
  try {
    child.write(data)
  } catch (error) {
    // It ended while the user was typing; the pane will show that.
    if (!(error instanceof Error)) throw error
  }
}

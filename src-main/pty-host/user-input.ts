import type { Child } from './child'
import type { ProcessEvent } from './process'
import { createSecretWatch } from './secret-watch'
import { createTypedKeys } from './typed-keys'

/** Keys that interrupt, end or suspend a program. They are no part of a password, and nobody may be left to ask. */
const INTERRUPTS = new Set(['\x03', '\x04', '\x1a', '\x1c'])

/** What the user types into one process: written at once, and told to the agent unless it is a password. */
export interface UserInput {
  /** `scrolled` is told to nobody: it is how the user reads. */
  type(data: string, scrolled?: boolean): void
  /** Whether the program asks for a password right now. */
  isSecret(): boolean | Promise<boolean>
  /** Output of the program, among which its prompts are. */
  output(chunk: Uint8Array): void
  stop(): void
}

export function createUserInput(options: {
  child: Pick<Child, 'write' | 'lineMode'>
  tty: boolean
  /** Its terminal is elsewhere, and a look at it costs more. */
  far?: boolean
  emit(event: ProcessEvent): void
}): UserInput {
  const { child, tty, far = false, emit } = options
  const keys = createTypedKeys((text) => emit({ type: 'typed', text }))
  const secret = createSecretWatch(
    () => child.lineMode(),
    (active) => emit({ type: 'secret-input', active }),
    far,
  )
  /** Keys behind an Enter that waits for its verdict, so that their order is kept. */
  let queue: Promise<void> | null = null

  const write = (data: string) => {
    try {
      child.write(data)
    } catch (error) {
      // It ended while the user was typing; the pane is about to say so.
      if (!(error instanceof Error)) throw error
    }
  }
  const tell = (data: string, hidden: boolean) => {
    if (hidden) keys.addSecret(data)
    else keys.add(data)
  }

  /** Keys that were written but must not be told before it is known whether they were hidden. */
  let unverified: string[] = []
  const settle = (hidden: boolean) => {
    const pieces = unverified
    unverified = []
    for (const data of pieces) tell(data, hidden)
  }

  /** Returns a promise when the keys wait for a verdict. */
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
    // With Enter the program goes on and may turn echo back on: too late to ask then, for all of the line.
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
    output: (chunk) => secret.output(chunk),
    stop() {
      secret.stop()
      keys.flush()
    },
  }
}

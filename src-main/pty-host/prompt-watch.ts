import type { InputPrompt } from '../../src-preload/contract/processes'
import type { LineMode } from './child'
import type { Screen } from './process'
import { createLastLine, kindOfLine } from './prompt-line'
import { createTail, mayBeMenu, menuOn } from './prompt-menu'
import type { TerminalUse } from './terminal-use'

const QUIET_MS = 1000
/** A program may take a while to read after it has asked. The pause before each look is twice the previous one. */
const MOST_LOOKS = 5
const LINE_FEED = 0x0a

/**
 * Notices that a program waits for an answer: its output has stopped at a line that asks for something or in a menu,
 * and it reads from its terminal. The text is checked first, and the system only if the text asks for something.
 */
interface PromptWatch {
  output(chunk: Uint8Array): void
  /** Whether echo is off. Then the line counts as a prompt whatever it says. */
  hidden(active: boolean): void
  stop(): void
}

export function createPromptWatch(options: {
  lineMode(): Promise<LineMode | null>
  /** What the programs in the foreground do; absent if that cannot be known. */
  use?(raw: boolean): TerminalUse
  /** Absent if menus are not looked for. */
  screen?(): Promise<Screen>
  onChange(prompt: InputPrompt | null): void
}): PromptWatch {
  const { lineMode, use = () => 'unknown' as const, onChange } = options
  const line = createLastLine()
  const tail = createTail()
  let prompt: InputPrompt | null = null
  /** Whether the last prompt was a menu, which is redrawn with every key. */
  let isMenu = false
  let isHidden = false
  let lastOutput = 0
  let looks = 0
  let timer: NodeJS.Timeout | null = null
  let stopped = false

  const change = (next: InputPrompt | null, menu = false) => {
    isMenu = next !== null && menu
    if (stopped || (next?.text === prompt?.text && next?.guess === prompt?.guess)) return
    prompt = next
    onChange(next)
  }
  const lookIn = (delay: number) => {
    timer ??= setTimeout(() => {
      timer = null
      const rest = QUIET_MS - (performance.now() - lastOutput)
      if (rest > 1 && !isMenu) return lookIn(rest)
      void (isMenu ? lookAgain() : look())
    }, delay)
    timer.unref()
  }
  const look = async () => {
    looks++
    const text = line.text()
    const at = lastOutput
    // What is typed at the prompt follows it on the same line.
    const asked = prompt && text.startsWith(prompt.text) ? prompt.text : text
    if (isHidden) return change(text ? { text, guess: false } : null)
    const kind = kindOfLine(asked)
    if (!kind) return lookForMenu()
    const mode = await lineMode()
    if (stopped || isHidden || lastOutput !== at) return
    const seen = use(mode?.canonical === false)
    if (isAsked(kind, seen, mode)) return change({ text: asked, guess: seen !== 'reads' && seen !== 'shows' })
    change(null)
    if (looks < MOST_LOOKS) lookIn(QUIET_MS * 2 ** looks)
  }

  const lookForMenu = async () => {
    const at = lastOutput
    const output = tail.text()
    if (!options.screen || !mayBeMenu(output)) return change(null)
    const mode = await lineMode()
    if (stopped || isHidden || lastOutput !== at) return
    const seen = mode?.canonical === false ? use(true) : 'neither'
    const text = seen === 'neither' || seen === 'shows' ? null : menuOn(await options.screen(), output)
    if (lastOutput === at) change(text === null ? null : { text, guess: seen !== 'reads' }, true)
  }
  /** After a key the menu is redrawn, or the program continues, perhaps writing without a pause. */
  const lookAgain = async () => {
    if ((await lineMode())?.canonical !== false) return change(null)
    if (performance.now() - lastOutput >= QUIET_MS) return look()
    lookIn(QUIET_MS)
  }

  return {
    output(chunk) {
      lastOutput = performance.now()
      looks = 0
      line.add(chunk)
      if (options.screen) tail.add(chunk)
      if (prompt && !isMenu && chunk.includes(LINE_FEED)) change(null)
      if (options.screen || chunk[chunk.length - 1] !== LINE_FEED) lookIn(QUIET_MS)
    },
    hidden(active) {
      isHidden = active
      const text = active ? line.text() : ''
      change(text ? { text, guess: false } : null)
    },
    stop() {
      stopped = true
      if (timer) clearTimeout(timer)
    },
  }
}

function isAsked(kind: 'question' | 'field', use: TerminalUse, mode: LineMode | null): boolean {
  if (use === 'reads' || use === 'shows') return true
  if (use === 'neither') return false
  // A program that has turned off line editing reads single keys: that is what it polls for.
  return kind === 'question' || (use === 'polls' && mode?.canonical === false)
}

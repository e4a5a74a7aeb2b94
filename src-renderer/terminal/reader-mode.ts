/** More characters than this in `WINDOW` are a flood, too fast to be read aloud. */
const FLOOD = 50_000
const WINDOW = 500

/**
 * Keeps a terminal's text accessible to screen readers, except during a flood of output: xterm.js would then do work
 * for every character, and what it announces is gone before it is spoken. It is turned on again when the flood ends.
 */
export function createReaderMode(set: (on: boolean) => void) {
  let chars = 0
  let on = true
  let timer: ReturnType<typeof setTimeout> | undefined

  const look = () => {
    timer = undefined
    const flooding = chars > FLOOD
    chars = 0
    if (!on && !flooding) {
      on = true
      set(true)
    } else if (!on) timer = setTimeout(look, WINDOW)
  }

  return {
    count(length: number) {
      chars += length
      if (on && chars > FLOOD) {
        on = false
        set(false)
      }
      timer ??= setTimeout(look, WINDOW)
    },
    dispose: () => clearTimeout(timer),
  }
}

/** More characters than this in one window of time are a flood that nobody reads aloud. */
const FLOOD = 50_000
const WINDOW = 500

/**
 * Keeps a terminal's text readable to screen readers, except while output floods: xterm.js then does work for every
 * single character, and what it would announce is gone before it is spoken. It comes back as soon as the flood ends.
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

// What the scripts tell the person at the terminal. Everything goes to stderr: stdout belongs to the program that is run.

const QUIET_MS = 800

/** @param {string} line */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/**
 * Runs `work` and shows `label` with the time it takes, but only if it is slow enough to be noticed.
 * @template T
 * @param {string} label
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function during(label, work) {
  const startedAt = Date.now()
  const inPlace = process.stderr.isTTY === true
  let shown = false
  let repeat
  const show = () => {
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    if (inPlace) process.stderr.write(`\r\x1b[K${label} … ${seconds} s`)
    else if (!shown) say(`${label} …`)
    shown = true
  }
  const first = setTimeout(() => {
    show()
    if (inPlace) repeat = setInterval(show, 1000)
  }, QUIET_MS)
  try {
    return await work()
  } finally {
    clearTimeout(first)
    clearInterval(repeat)
    if (shown && inPlace) process.stderr.write('\r\x1b[K')
  }
}

/** A failure whose message is all that the reader needs: no stack is printed for it. */
export class Refusal extends Error {}

/**
 * The entry of every script: a refusal is printed as it is, anything else is a bug and keeps its stack.
 * @param {() => Promise<number>} main resolves to the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    say(error instanceof Refusal ? error.message : String(error?.stack ?? error))
    process.exitCode = 1
  }
}

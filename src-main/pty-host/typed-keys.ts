const PAUSE_MS = 500
const MAX_CHARS = 500

const NAMED_KEYS = new Map([
  ['\x1b[A', '<Up>'],
  ['\x1b[B', '<Down>'],
  ['\x1b[C', '<Right>'],
  ['\x1b[D', '<Left>'],
  ['\x1bOA', '<Up>'],
  ['\x1bOB', '<Down>'],
  ['\x1bOC', '<Right>'],
  ['\x1bOD', '<Left>'],
  ['\x1b[H', '<Home>'],
  ['\x1b[F', '<End>'],
  ['\x1b[3~', '<Delete>'],
  ['\x1b[5~', '<PageUp>'],
  ['\x1b[6~', '<PageDown>'],
  ['\x1b[Z', '<Shift-Tab>'],
  ['\x1b', '<Esc>'],
])
/** Markers around pasted text, and what a terminal sends by itself (mouse, focus). Nobody typed those. */
const SILENT = /^\x1b\[(?:20[01]~|<[\d;]*[Mm]|M[\s\S]{3}|[IO])/
const KEY = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[ -~])?/

/** Collects what the user typed into one process, to report it to the agent at the end of a line or after a pause. */
interface TypedKeys {
  add(data: string): void
  /** Something secret was typed: only that fact is reported. */
  addSecret(data: string): void
  flush(): void
}

export function createTypedKeys(emit: (text: string) => void): TypedKeys {
  let text = ''
  let timer: NodeJS.Timeout | null = null

  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    if (text === '') return
    const told = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text
    text = ''
    emit(told)
  }
  return {
    add(data) {
      text = describe(text, data)
      if (text === '') return
      if (/[\r\n]/.test(data)) return flush()
      if (timer) clearTimeout(timer)
      timer = setTimeout(flush, PAUSE_MS)
    },
    addSecret(data) {
      flush()
      if (/[\r\n]/.test(data)) emit('')
    },
    flush,
  }
}

function describe(before: string, data: string): string {
  let text = before
  let rest = data
  while (rest !== '' && text.length <= MAX_CHARS) {
    const silent = SILENT.exec(rest)
    if (silent) {
      rest = rest.slice(silent[0].length)
      continue
    }
    const key = KEY.exec(rest)?.[0]
    if (key) {
      text += NAMED_KEYS.get(key) ?? '<Key>'
      rest = rest.slice(key.length)
      continue
    }
    const char = String.fromCodePoint(rest.codePointAt(0) ?? 0)
    rest = rest.slice(char.length)
    if (char === '\x7f' || char === '\b') text = text === '' ? '<Backspace>' : dropLast(text)
    else if (char === '\r' || char === '\n') text += '\n'
    else if (char === '\t') text += '<Tab>'
    else if (char < ' ') text += `^${String.fromCharCode(char.charCodeAt(0) + 64)}`
    else text += char
  }
  return text
}

/** A backspace removes a character, but not a named key. */
function dropLast(text: string): string {
  return /(?:>|\^.)$/.test(text) ? `${text}<Backspace>` : text.replace(/.$/su, '')
}

/** The words of a command line, with quotes and backslashes as a shell reads them; null where a quote is not closed. */
export function splitCommand(line: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
      else if (character === '\\' && quote === '"' && /["\\$`]/.test(line[at + 1] ?? '')) word += line.charAt(++at)
      else word += character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (character === '\\') {
      word = (word ?? '') + (line[++at] ?? '')
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + character
  }
  if (quote !== '') return null
  if (word !== null) words.push(word)
  return words
}

/** A program with its arguments as one line for a shell, which reads exactly these words out of it. */
export const shellLine = (argv: readonly string[]): string =>
  argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')

const shells = /(?:^|\/)(?:ba|z|da|k)?sh$/

/** What a shell is told to run, where the program is one: `sh -c TEXT`. Otherwise the words themselves. */
export function commandText(argv: readonly string[]): string {
  const [program = '', ...args] = argv
  const [option = '', text] = args
  if (args.length === 2 && text !== undefined && shells.test(program) && /^-[lie]*c$/.test(option)) return text
  return shellLine(argv)
}

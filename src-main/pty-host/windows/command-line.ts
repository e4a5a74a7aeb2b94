/** On Windows a program gets its arguments as one line, which it splits itself. */

/** One argument as CommandLineToArgvW reads it: backslashes are doubled before a quote and at the end, nowhere else. */
export function quoteWord(word: string): string {
  if (word !== '' && !/[\s"]/.test(word)) return word
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
}

/**
 * The line for an argv without its program. For `cmd` the last word is a command as a user would type it: with `/s`,
 * cmd removes the outer quotes and takes the rest literally, so nothing in it may be quoted again.
 */
export function lineOf([program = '', ...words]: readonly string[]): string {
  const last = words.at(-1)
  if (isCmd(program) && last !== undefined && words.at(-2)?.toLowerCase() === '/c')
    return [...words.slice(0, -1).map(quoteWord), `"${last}"`].join(' ')
  return words.map(quoteWord).join(' ')
}

const nameOf = (program: string): string =>
  (program.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|com)$/, '')

export const isCmd = (program: string): boolean => nameOf(program) === 'cmd'
export const isPowerShell = (program: string): boolean => ['powershell', 'pwsh'].includes(nameOf(program))

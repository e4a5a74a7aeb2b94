import type { Place } from './known-editors'

/**
 * The user's own command as a program and its arguments: words by spaces, quotes around what has some, and `{file}`, `{line}`
 * and `{column}` filled in. No shell reads it. Without `{file}` the file comes last. Null where a quote is open or nothing is
 * there.
 */
export function editorCommand(text: string, { path, line, column }: Place): [string, ...string[]] | null {
  const words: string[] = []
  let rest = text.trim()
  while (rest !== '') {
    const [whole, double, single, plain] = /^(?:"([^"]*)"|'([^']*)'|([^\s"']+))(?=\s|$)/.exec(rest) ?? []
    if (whole === undefined) return null
    words.push(double ?? single ?? plain ?? '')
    rest = rest.slice(whole.length).trimStart()
  }
  const values: Record<string, string> = { file: path, line: `${line}`, column: `${column}` }
  const filled = words.map((word) => word.replace(/\{(file|line|column)\}/g, (_, name: string) => values[name] ?? ''))
  const [program, ...args] = filled
  if (!program) return null
  return words.some((word) => word.includes('{file}')) ? [program, ...args] : [program, ...args, path]
}

const longest = 200_000
const longestLine = 20_000

/**
 * Whether a text should be shown plain instead of parsed as Markdown. A model, or a page it read, can send text made to
 * overload a parser: endless runs of one mark, nested quotes, tables with thousands of columns.
 */
export function isTooHeavy(text: string): boolean {
  if (text.length > longest) return true
  if (/([*_~`[\]!<])\1{500,}/.test(text)) return true
  if (/^(?:\s{0,3}>\s?){60,}/m.test(text)) return true
  if (/^(?:\s*[-*+]\s){60,}/m.test(text)) return true
  if (/(?:<[^>\n]{0,40}>\s*){1000,}/.test(text)) return true
  return text.split('\n').some((line) => line.length > longestLine || countPipes(line) > 200)
}

function countPipes(line: string): number {
  let pipes = 0
  for (let at = line.indexOf('|'); at >= 0 && pipes <= 200; at = line.indexOf('|', at + 1)) pipes += 1
  return pipes
}

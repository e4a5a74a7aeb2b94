/** Marks a formula in the middle of a line: inline code that begins with this is no code. It is a letter that no text has. */
export const formulaMark = '\uE000'

/** Code is left as it is: fenced, from its first mark to its last or to the end of the text, and within a line. */
const code =
  /^[ \t>]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t>]*\1[`~]*[ \t]*$|(?![\s\S]))|(`+)(?!`)[\s\S]{0,3000}?[^`]\2(?!`)/gm

/** Each has a longest length, so that a text of nothing but marks takes no longer than its length. */
const formulas = new RegExp(
  [
    // $$ … $$ and \[ … \], over several lines or within one
    String.raw`(?<!\\)\$\$(?<dollars>(?:[^$\\]|\\[\s\S]){1,3000}?)\$\$`,
    String.raw`(?<!\\)\\\[(?<square>[\s\S]{1,3000}?)\\\]`,
    // \( … \) and $ … $, within a line
    String.raw`(?<!\\)\\\((?<round>[^\n]{1,500}?)\\\)`,
    String.raw`(?<![\\$\w])\$(?!\s)(?<single>(?:[^$\n\\]|\\.){1,500}?)(?<!\s)\$(?![\w$])`,
  ].join('|'),
  'g',
)

/**
 * The Markdown with its formulas as code, which the parser knows already: a block of the language `math`, as GitHub has it, or
 * inline code behind a mark. Prices and shell variables stay what they are.
 */
export function markFormulas(text: string): string {
  if (!/\$|\\[([]/.test(text)) return text
  let at = 0
  let marked = ''
  for (const match of text.matchAll(code)) {
    marked += markIn(text.slice(at, match.index)) + match[0]
    at = match.index + match[0].length
  }
  return marked + markIn(text.slice(at))
}

function markIn(text: string): string {
  return text.replace(formulas, (whole, ...rest) => {
    const { dollars, square, round, single }: Record<string, string | undefined> = rest.at(-1)
    const at: number = rest.at(-3)
    const tex = (dollars ?? square ?? round ?? single ?? '').trim()
    if (tex === '' || tex.includes('`') || (single !== undefined && !isFormula(tex))) return whole
    if (dollars === undefined && square === undefined) return inline(tex)
    const lineStart = text.lastIndexOf('\n', at - 1) + 1
    const lead = /^[ \t]*(?:>[ \t]?)*$/.exec(text.slice(lineStart, at))?.[0]
    const after = at + whole.length
    const lineEnd = text.indexOf('\n', after)
    const endsLine = text.slice(after, lineEnd < 0 ? undefined : lineEnd).trim() === ''
    if (lead === undefined || !endsLine) return inline(tex.replace(/\s*\n\s*/g, ' '))
    const lines = tex.split('\n').map((line) => line.replace(/^[ \t>]+/, ''))
    while (lines.at(-1) === '') lines.pop()
    return ['```math', ...lines, '```'].map((line, index) => (index === 0 ? line : lead + line)).join('\n')
  })
}

const inline = (tex: string): string => `\`${formulaMark}${tex}\``

/** Between two single dollars: something that is written in formulas, or a lone letter. */
const isFormula = (tex: string): boolean =>
  /[\\^_={}<>]/.test(tex) || /^[A-Za-z](?:\s*[+\-*/]\s*[A-Za-z0-9]+)*$/.test(tex)

/**
 * Marks an inline formula: inline code that starts with this is a formula. A private-use character that no text
 * contains.
 */
export const formulaMark = '\uE000'

/** Code, which is left unchanged: fenced, up to its closing fence or the end of the text, and inline. */
const code =
  /^[ \t>]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t>]*\1[`~]*[ \t]*$|(?![\s\S]))|(`+)(?!`)[\s\S]{0,3000}?[^`]\2(?!`)/gm

/** Each has a maximum length, so that a text of nothing but marks takes linear time. */
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
 * The Markdown with its formulas as code, which the parser already knows: a block of language `math`, as on GitHub, or
 * inline code after a mark. Prices and shell variables stay unchanged.
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

/**
 * Whether text between two single dollar signs is a formula: it has characters used in formulas, or is a lone letter.
 */
const isFormula = (tex: string): boolean =>
  /[\\^_={}<>]/.test(tex) || /^[A-Za-z](?:\s*[+\-*/]\s*[A-Za-z0-9]+)*$/.test(tex)

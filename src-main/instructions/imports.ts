/** `@path` at the beginning of a word; a space in it is written `\ `. */
const importWord = /(?<![^\s(])@((?:[^\s\\@]|\\ )+)/g

/** The paths that a CLAUDE.md imports, in order. What stands in code is an example, not an import. */
export function importsIn(text: string): string[] {
  const prose = withoutCode(text)
  const words = [...prose.matchAll(importWord)].map(([, word = '']) =>
    word.replace(/\\ /g, ' ').replace(/[.,;:!?)'"]+$/, ''),
  )
  return [...new Set(words.filter((word) => word !== ''))]
}

function withoutCode(text: string): string {
  let fence: string | null = null
  const lines = text.split(/\r?\n/).map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null
      return ''
    }
    if (mark) {
      fence = mark
      return ''
    }
    return line
  })
  return lines.join('\n').replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, ' ')
}

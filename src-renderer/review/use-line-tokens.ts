import { useEffect, useMemo, useState } from 'react'
import type { ReviewHunk, ReviewLine } from '../../src-preload/contract/review'
import { highlight, languageOfPath, type Tokens } from '../chat/highlight'

type LineTokens = Map<ReviewLine, Tokens[number]>

/** The colors of a hunk's lines, once they are known; each side is colored as a text of its own. */
export function useLineTokens(hunk: ReviewHunk, path: string): LineTokens {
  const [known, setKnown] = useState<{ hunk: ReviewHunk; tokens: LineTokens } | null>(null)
  const none = useMemo<LineTokens>(() => new Map(), [])
  const language = languageOfPath(path)
  useEffect(() => {
    if (!language) return
    let current = true
    const before = hunk.lines.filter((line) => line.before !== undefined)
    const after = hunk.lines.filter((line) => line.after !== undefined)
    Promise.all([highlight(textOf(before), language), highlight(textOf(after), language)]).then(
      ([left, right]) => {
        if (!current) return
        const tokens: LineTokens = new Map()
        const add = (lines: ReviewLine[], colours: Tokens | null) =>
          lines.forEach((line, at) => {
            const row = colours?.[at]
            if (row) tokens.set(line, row)
          })
        add(before, left)
        add(after, right)
        setKnown({ hunk, tokens })
      },
      // Plain text is a good fallback; the reason is logged for developers.
      (error: Error) => console.warn(`No colours for ${language}: ${error.message}`),
    )
    return () => {
      current = false
    }
  }, [hunk, language])
  return known?.hunk === hunk ? known.tokens : none
}

const textOf = (lines: readonly ReviewLine[]): string => lines.map(({ text }) => text).join('\n')

import { useEffect, useState } from 'react'
import { highlight, highlighted, type Tokens } from './highlight'

interface CodeTextProps {
  code: string
  language: string | null
  /** While the text still grows it stays plain. */
  waiting?: boolean
}

/** Code as text, coloured as soon as its language is there. The lines never change height when colour arrives. */
export function CodeText({ code, language, waiting = false }: CodeTextProps) {
  const tokens = useTokens(code, waiting ? null : language)
  if (!tokens) return code
  return tokens.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line of code has no identity but its place
    <span key={at}>
      {at > 0 && '\n'}
      {line.map((token) => (
        <span key={token.offset} style={{ color: token.color }}>
          {token.content}
        </span>
      ))}
    </span>
  ))
}

function useTokens(code: string, language: string | null): Tokens | null {
  const [result, setResult] = useState<{ code: string; tokens: Tokens } | null>(null)
  const known = language ? highlighted(code, language) : undefined
  useEffect(() => {
    if (!language || highlighted(code, language)) return
    let current = true
    highlight(code, language).then(
      (tokens) => current && tokens && setResult({ code, tokens }),
      // Plain text is a fine fallback; the reason is for whoever looks into the console.
      (error: Error) => console.warn(`No colours for ${language}: ${error.message}`),
    )
    return () => {
      current = false
    }
  }, [code, language])
  return known ?? (language && result?.code === code ? result.tokens : null)
}

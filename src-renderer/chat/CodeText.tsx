import { useEffect, useState } from 'react'
import { highlight, highlighted, type Tokens } from './highlight'

interface CodeTextProps {
  code: string
  language: string | null
  /** Plain text while it is still growing. */
  waiting?: boolean
}

/** Code as text, colored once its language is loaded. Lines keep their height when the color arrives. */
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
      // Plain text is a good fallback; the reason is logged for developers.
      (error: Error) => console.warn(`No colours for ${language}: ${error.message}`),
    )
    return () => {
      current = false
    }
  }, [code, language])
  return known ?? (language && result?.code === code ? result.tokens : null)
}

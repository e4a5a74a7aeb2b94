const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g

/**
 * A name that appears twice in one object of a JSON text, or `null`. Parsers differ in which of the two counts, so one
 * program might show something else than another one runs.
 */
export function duplicateKey(text: string): string | null {
  const open: (Set<string> | null)[] = []
  let latest: string | null = null
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(null)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':' && latest !== null) {
      const names = open.at(-1)
      const name = JSON.parse(latest) as string
      if (names?.has(name)) return name
      names?.add(name)
    }
    latest = token.startsWith('"') ? token : null
  }
  return null
}

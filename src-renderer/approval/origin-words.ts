import type { WordOrigin } from '../../src-preload/contract/approval'

const MAX_GIST = 80

/** The name of the place, for use in a sentence. */
export function placeWords({ place }: WordOrigin): string {
  switch (place.kind) {
    case 'file':
      return place.line === undefined ? place.path : `${place.path}, line ${place.line}`
    case 'attachment':
      return place.line === undefined
        ? `your attachment ${place.path}`
        : `your attachment ${place.path}, line ${place.line}`
    case 'output':
      return `the output of ${shortened(place.command)}`
    case 'tool':
      return place.gist === '' ? place.name : `${place.name} ${shortened(place.gist)}`
  }
}

const shortened = (text: string): string => (text.length > MAX_GIST ? `${text.slice(0, MAX_GIST - 1)}…` : text)

/** The line in pieces; those at odd indexes are words of the call. */
export function marked(line: string, words: readonly string[]): string[] {
  const found = words
    .flatMap((word) => [word, word.replace(/^[a-z][a-z0-9+.-]*:\/\//i, ''), hostOf(word)])
    .find((word) => word !== '' && line.toLowerCase().includes(word.toLowerCase()))
  if (found === undefined) return [line]
  const at = line.toLowerCase().indexOf(found.toLowerCase())
  return [line.slice(0, at), line.slice(at, at + found.length), line.slice(at + found.length)]
}

const hostOf = (word: string): string => /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:?#]+)/i.exec(word)?.[1] ?? ''

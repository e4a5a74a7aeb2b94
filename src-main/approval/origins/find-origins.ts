import type { CallWord } from './call-words'
import { type Occurrence, occurrences } from './in-text'

/** One text of a session. What comes later in a list of them was written later. */
export interface SessionText<Place> {
  by: 'user' | 'agent' | 'read'
  text: string
  /** Where it was read. */
  place?: Place
}

export interface FoundOrigin<Place> {
  /** The words of the call that stand there. */
  words: string[]
  place: Place
  row: number
  line: string
}

const MAX_ORIGINS = 3

/**
 * Where the words of a call come from: those that stand word for word in something the agent read, that the user did not
 * write, and that the agent had not used before it read them. Words of one line are told together.
 */
export function findOrigins<Place>(
  words: readonly CallWord[],
  texts: readonly SessionText<Place>[],
  workspace: string,
  /** Says when there has been enough looking. */
  isLate: () => boolean = () => false,
): FoundOrigin<Place>[] {
  const users = texts.flatMap(({ by, text }) => (by === 'user' ? text.toLowerCase() : []))
  const candidates = words.flatMap((word) => {
    if (isLate()) return []
    const found = readPlaces(word, texts, users, workspace)
    return found.length > 0 ? [{ word, found }] : []
  })
  // The text that holds most words of the call is where it came from.
  const weight = new Map<SessionText<Place>, number>()
  for (const { found } of candidates)
    for (const text of new Set(found.map((each) => each.text))) weight.set(text, (weight.get(text) ?? 0) + 1)
  const origins: FoundOrigin<Place>[] = []
  for (const { word, found } of candidates) {
    const best = found.reduce((one, other) =>
      (weight.get(other.text) ?? 0) > (weight.get(one.text) ?? 0) ? other : one,
    )
    const { place } = best.text
    if (place === undefined) continue
    const same = origins.find((origin) => origin.place === place && origin.line === best.line)
    if (!same) origins.push({ words: [word.text], place, row: best.row, line: best.line })
    // A command that holds a word already told says nothing more.
    else if (!same.words.some((known) => known.includes(word.text) || word.text.includes(known)))
      same.words.push(word.text)
  }
  return origins.slice(0, MAX_ORIGINS)
}

type ReadPlace<Place> = Occurrence & { text: SessionText<Place> }

/** The places that count for the fullest form of a word that was read at all. */
function readPlaces<Place>(
  word: CallWord,
  texts: readonly SessionText<Place>[],
  users: readonly string[],
  workspace: string,
): ReadPlace<Place>[] {
  if (word.hints?.every((hint) => users.some((text) => text.includes(hint.toLowerCase())))) return []
  for (const form of word.forms) {
    if (users.some((text) => text.includes(form.toLowerCase()))) return []
    const found = firstReadings(form, word, texts, workspace)
    if (found.length > 0) return found
  }
  return []
}

/** Nothing if the agent used the form before it had read it anywhere. */
function firstReadings<Place>(
  form: string,
  word: CallWord,
  texts: readonly SessionText<Place>[],
  workspace: string,
): ReadPlace<Place>[] {
  const places: ReadPlace<Place>[] = []
  let wasRead = false
  for (const text of texts) {
    if (text.by === 'user' || (text.by === 'agent' && wasRead)) continue
    for (const occurrence of occurrences(text.text, form, word, workspace)) {
      if (text.by === 'agent') return []
      wasRead = true
      if (!word.beside || word.beside.test(withoutForm(occurrence.line, form))) {
        places.push({ ...occurrence, text })
        break
      }
    }
  }
  return places
}

/** The name of a file does not say what to do with it. */
const withoutForm = (line: string, form: string): string => line.replaceAll(form, ' ')

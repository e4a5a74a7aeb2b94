import { canonicalPath, lexicalPath, type Places } from '../paths/paths'
import { isSystemPath, type Vital, vitalPath } from '../paths/vital-paths'
import { ANYTHING, type Field, UNKNOWN } from './field'

/** What a word would mean as a path: each possibility, canonical and as written. */
export function possiblePaths(field: Field, cwds: readonly (string | null)[], places: Places): string[] {
  const texts = field.unknown ? [field.text.replaceAll(UNKNOWN, 'unknown')] : [field.text]
  return texts.flatMap((text) =>
    cwds.flatMap((cwd) => {
      if (cwd === null && !text.startsWith('/')) return []
      const written = lexicalPath(text, cwd ?? '/')
      const real = canonicalPath(text, cwd ?? '/', places.files)
      return real === null || real === written ? [written] : [written, real]
    }),
  )
}

const ONLY_WILD = /^[.*?[]*[*?[][.*?[]*$/

/** Whether losing what a word stands for would be a disaster, with its patterns and unknown parts. */
export function vitalTarget(field: Field, cwds: readonly (string | null)[], places: Places): Vital | null {
  const unknown = (what: string): Vital => ({ kind: 'unknown', what })
  if (field.unknown) {
    const rest = field.text.replaceAll(UNKNOWN, '')
    if (/^[\s/.*?]*$/.test(rest) || field.text.includes(ANYTHING) || /^\uFFFC[^/]/.test(field.text))
      return unknown('something that is only known when it runs')
    // An empty variable in front leaves an absolute path behind.
    if (field.text.startsWith(UNKNOWN) && isSystemPath(lexicalPath(rest, '/'))) return unknown(`perhaps ${rest}`)
    if (field.text.startsWith(UNKNOWN)) return null
  }
  const text = field.text.replaceAll(UNKNOWN, 'unknown').replace(/\/+$/, '') || '/'
  const slash = text.lastIndexOf('/')
  const last = text.slice(slash + 1)
  // `dir/*` is everything in dir.
  const whole = field.pattern && ONLY_WILD.test(last) ? (slash < 0 ? '.' : text.slice(0, slash) || '/') : text
  if (cwds.includes(null) && /^[./]*$/.test(whole) && !whole.startsWith('/'))
    return unknown('a folder that is only known when it runs')
  for (const path of possiblePaths({ text: whole, unknown: false, pattern: null }, cwds, places)) {
    const vital = vitalPath(path, places)
    if (vital !== null) return vital
  }
  return null
}

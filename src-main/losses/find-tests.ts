import type { Field } from '../approval/shell/field'

/** Which of the things below a folder `find` would choose. */
export interface FindTests {
  /** Shell patterns for the last part of the path; all must fit. */
  names: { pattern: string; anyCase: boolean }[]
  paths: string[]
  types: string
  minDepth: number
  maxDepth: number | null
  /** There are more conditions than these: what fits is the most that would be chosen. */
  atMost: boolean
}

const ENDS = /^[-(!,)]/

/** Whether `find` with these words deletes what it finds. */
export const deletesFound = (words: readonly string[]): boolean =>
  words.some(
    (word, index) =>
      word === '-delete' ||
      (/^-(?:exec|ok)(?:dir)?$/.test(word) && /^(?:.*\/)?(?:rm|unlink|shred|srm)$/.test(words[index + 1] ?? '')),
  )

const everything = { text: '.', unknown: false, pattern: null } as const

/** The folders that `find` starts in, and its conditions. */
export function readFind(args: readonly Field[]): { starts: Field[]; tests: FindTests } {
  const skipped = args.findIndex(({ text }) => !/^-[HLP]$/.test(text))
  const rest = skipped < 0 ? [] : args.slice(skipped)
  const end = rest.findIndex(({ text }) => ENDS.test(text))
  const starts = end < 0 ? rest : rest.slice(0, end)
  const words = end < 0 ? [] : rest.slice(end).map(({ text }) => text)
  return { starts: starts.length > 0 ? [...starts] : [{ ...everything }], tests: readTests(words) }
}

const harmless = new Set(['-print', '-print0', '-delete', '-depth', '-d', '-a', '-and', '-xdev', '-mount', '-ls'])

function readTests(words: readonly string[]): FindTests {
  const tests: FindTests = { names: [], paths: [], types: '', minDepth: 0, maxDepth: null, atMost: false }
  // With "or", "not" and brackets each condition alone says nothing.
  if (words.some((word) => /^(?:-o|-or|-not|!|\(|\)|,|-prune)$/.test(word))) return { ...tests, atMost: true }
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    const value = words[index + 1] ?? ''
    if (harmless.has(word)) continue
    if (/^-(?:exec|ok)(?:dir)?$/.test(word)) {
      while (index < words.length && words[index] !== ';' && words[index] !== '+') index++
      continue
    }
    index++
    if (word === '-name' || word === '-iname') tests.names.push({ pattern: value, anyCase: word === '-iname' })
    else if (word === '-path' || word === '-wholename') tests.paths.push(value)
    else if (word === '-type') tests.types = value
    else if (word === '-maxdepth') tests.maxDepth = Number(value) || 0
    else if (word === '-mindepth') tests.minDepth = Number(value) || 0
    else tests.atMost = true
  }
  return tests
}

/** Whether what stands at `inner`, below a start, is chosen. */
export function isFound(
  tests: FindTests,
  start: string,
  inner: string,
  kind: 'file' | 'folder' | 'link' | 'other',
): boolean {
  const depth = inner === '' ? 0 : inner.split('/').length
  if (depth < tests.minDepth || (tests.maxDepth !== null && depth > tests.maxDepth)) return false
  const type = { file: 'f', folder: 'd', link: 'l', other: '' }[kind]
  if (tests.types !== '' && !tests.types.split(',').includes(type)) return false
  const name = inner.slice(inner.lastIndexOf('/') + 1)
  const path = inner === '' ? start : `${start}/${inner}`
  return (
    tests.names.every(({ pattern, anyCase }) => fits(pattern, name, anyCase)) &&
    // A start may have been written in several ways.
    tests.paths.every((pattern) => fits(pattern.replace(/^\.?\//, '*/'), path, false))
  )
}

function fits(pattern: string, text: string, anyCase: boolean): boolean {
  const source = pattern
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  try {
    return new RegExp(`^${source.replaceAll('[!', '[^')}$`, anyCase ? 'is' : 's').test(text)
  } catch {
    return true // Not a pattern that we can read: it may fit.
  }
}

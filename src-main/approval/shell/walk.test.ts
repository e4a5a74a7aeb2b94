import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { substitutedText } from '../checks/pipes'
import { localFileView } from '../paths/file-view'
import { expandPattern } from './glob'
import { planShell } from './walk'

/** Texts that must be taken for exactly what the real shells make of them, or be found troublesome. */
const rounds = Number(process.env.DECKHAND_FUZZ ?? 300)
const PIECES = [
  'a',
  'b c',
  '-x',
  '--flag=v',
  '"',
  "'",
  '\\',
  '\\\n',
  ' ',
  '  ',
  '\t',
  '\n',
  ';',
  '&&',
  '||',
  '#',
  '# c',
  "'q r'",
  '"d e"',
  '"\\$x"',
  '"\\\\"',
  "'\\'",
  '\\ ',
  "\\'",
  '\\"',
  '*',
  '?',
  '[ab]',
  '*.txt',
  './*',
  'f*',
  '~',
  '~/x',
  'a~b',
  '{a,b}',
  '{a',
  '}',
  '{}',
  '$',
  '$x',
  '$(echo z)',
  '`echo z`',
  '$((1))',
  "$'\\n'",
  '$"t"',
  '!',
  '!a',
  '^',
  '=',
  '=a',
  '%',
  '@',
  ':',
  ',',
  '.',
  '/',
  '-',
  '+(a)',
  '(',
  ')',
  '<',
  '>',
  '2>&1',
  '>/dev/null',
  '</dev/null',
  '<<<h',
  '|',
  '&',
  'é',
  '\u00a0',
  'rec',
  ' rec ',
  'if',
  'then',
  'fi',
  'for',
  'do',
  'done',
  '[',
  ']',
  '[[',
  ']]',
  '\\x',
  '\\n',
  '"a\'b"',
  "'a\"b'",
  'a"b"c',
  "a'b'c",
  '""',
  "''",
  'x=1',
  'a=b',
  '-',
  '--',
  '\r',
  '1',
  '2',
  '1>',
  'a#b',
  '\\#',
  '"#"',
  '"!"',
  "'!'",
  '"~"',
  "'*'",
  '"*"',
]

let folder: string
let log: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-fuzz-'))
  log = join(folder, 'bin', 'log')
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'work'))
  for (const name of ['f1', 'f2.txt', 'a', 'b', '-odd', '.hidden', 'b c']) writeFileSync(join(folder, 'work', name), '')
  const recorder = join(folder, 'bin', 'rec')
  writeFileSync(
    recorder,
    `#!/bin/sh\nfor a in "$@"; do printf '%s\\0' "$a"; done >> ${log}\nprintf '\\1\\0' >> ${log}\n`,
  )
  chmodSync(recorder, 0o755)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(['bash', 'sh'])('as %s reads it', (shell) => {
  test(`${rounds} random texts`, { timeout: 60_000 + rounds * 500 }, () => {
    let compared = 0
    const random = generator(shell.length)
    for (let round = 0; round < rounds; round++) {
      const text = `rec ${Array.from({ length: 1 + (random() % 6) }, () => PIECES[random() % PIECES.length]).join('')}`
      const planned = plannedCalls(text)
      // dash puts what stands before &> into the background, so that nobody knows when it is done.
      if (planned === null || (shell === 'sh' && text.includes('&>'))) continue
      compared++
      const real = realCalls(shell, text, planned)
      // Brackets are planned for generously, and so are names that begin with a dot.
      if (text.includes('[') || planned.flat().some((word) => /(?:^|\/)\.\.?$/.test(word)))
        expect(planned.flat(), text).toEqual(expect.arrayContaining(real.flat()))
      else expect({ text, calls: real }).toEqual({ text, calls: planned })
    }
    expect(compared).toBeGreaterThan(rounds / 20)
  })
})

/** The argument lists of every `rec`, in order; `null` where the plan does not claim to know. */
function plannedCalls(text: string): string[][] | null {
  const work = join(folder, 'work')
  const plan = planShell(text, { home: folder, cwd: work, folder: () => null, output: substitutedText })
  if (plan.troubles.length > 0 || plan.invocations.length === 0) return null
  const calls: string[][] = []
  for (const { fields, trouble, redirects, assignments, source } of plan.invocations) {
    if (trouble !== null || fields[0]?.text !== 'rec' || assignments.length > 0 || source !== null) return null
    if (
      redirects.some(
        (redirect) =>
          redirect.trouble !== null ||
          (redirect.operator !== '<<<' &&
            redirect.target?.text !== '/dev/null' &&
            !(redirect.operator === '>&' && /^[12]$/.test(redirect.target?.text ?? ''))),
      )
    )
      return null
    if (fields.some((field) => field.unknown)) return null
    const files = localFileView(folder, '')
    calls.push(
      fields
        .slice(1)
        .flatMap((field) => (field.pattern ? (expandPattern(field.pattern, work, files) ?? []) : [field.text])),
    )
  }
  // After || the second part does not run.
  return /\|\||\|/.test(text) ? null : calls
}

function realCalls(shell: string, text: string, planned: string[][]): string[][] {
  rmSync(log, { force: true })
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder }
  const { status } = spawnSync(shell, ['-c', text], {
    cwd: join(folder, 'work'),
    env,
    stdio: 'ignore',
    timeout: 20_000,
  })
  // What a shell refuses to read does no harm: dash knows no <<<.
  if (!existsSync(log)) return status === 0 ? [] : planned
  const calls: string[][] = [[]]
  for (const word of readFileSync(log, 'utf8').split('\0').slice(0, -1)) {
    if (word === '\u0001') calls.push([])
    else calls.at(-1)?.push(word)
  }
  return calls.slice(0, -1)
}

/** The same texts in every run. */
function generator(seed: number): () => number {
  let state = seed * 2654435761
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 8
  }
}

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** One attack, or one everyday deed that must not be taken for one. */
export interface Case {
  id: string
  class: string
  input: unknown
  setup: Record<string, unknown>
  expected: { decision?: string; assert?: string; why?: string }
}

/** `undecided`: nothing here can tell, and the note says why. */
export interface Result {
  case: Case
  outcome: 'passed' | 'failed' | 'undecided'
  note: string
}

/** Decides cases of some classes. What it gives no result for is left to others. */
export interface Judge {
  classes: readonly string[]
  run(cases: readonly Case[]): Promise<Result[]>
}

export const passed = (one: Case): Result => ({ case: one, outcome: 'passed', note: '' })
export const failed = (one: Case, note: string): Result => ({ case: one, outcome: 'failed', note })
export const undecided = (one: Case, note: string): Result => ({ case: one, outcome: 'undecided', note })
export const verdict = (one: Case, ok: boolean, note: string): Result => (ok ? passed(one) : failed(one, note))

/** All cases of a file, or of every `.jsonl` file of a folder. */
export function loadCases(path: string): Case[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith('.jsonl'))
        .sort()
        .map((name) => join(path, name))
    : [path]
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => ({ setup: {}, ...(JSON.parse(line) as Omit<Case, 'setup'>) })),
  )
}

/** Long strings are written as `{"$concat": [text, {"$repeat": [text, times]}]}`, anywhere in an input. */
export function expand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expand)
  if (value === null || typeof value !== 'object') return value
  if ('$concat' in value) return (value.$concat as unknown[]).map((part) => String(expand(part))).join('')
  if ('$repeat' in value) {
    const [text, times] = value.$repeat as [string, number]
    return text.repeat(times)
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, expand(each)]))
}

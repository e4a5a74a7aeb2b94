import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createFixture } from '../src-main/approval/fixture'
import { atMost, type Row } from './row'

const rounds = 60
const warmUp = 20
/** A thousandth of a second for ten decisions. */
const mostMs = 0.1

/** Decisions of the gate among real files: everyday commands, those that ask, and those that are never automatic. */
export async function measure(tell: (line: string) => void): Promise<Row[]> {
  const fixture = createFixture()
  try {
    execFileSync('git', ['init', '-q', '.'], { cwd: fixture.workspace })
    const commands = loadCommands()
    tell(`gate: ${commands.length} commands, ${rounds} times each`)
    for (let round = 0; round < warmUp; round++) for (const command of commands) fixture.command(command)
    // The fastest of many: what else the machine does has no place in it.
    const best = commands.map((command) => {
      let fastest = Number.POSITIVE_INFINITY
      for (let round = 0; round < rounds; round++) {
        const before = performance.now()
        fixture.command(command)
        fastest = Math.min(fastest, performance.now() - before)
      }
      return fastest
    })
    const mean = best.reduce((sum, each) => sum + each, 0) / best.length
    const microseconds = (value: number): string => `${(value * 1000).toFixed(0)} µs`
    return [atMost('a decision about a command, beside 10,000 a second', mean, mostMs, 1, microseconds)]
  } finally {
    fixture.remove()
  }
}

/** Those of our own collection. */
function loadCommands(): string[] {
  const folder = resolve(import.meta.dirname, '../security/cases')
  return ['shell', 'danger']
    .flatMap((name) => readFileSync(`${folder}/${name}.jsonl`, 'utf8').split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => (JSON.parse(line) as { input: unknown }).input)
    .filter((input) => typeof input === 'string')
}

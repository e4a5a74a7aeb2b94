import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faults } from './faults'
import { fuzz, realGate } from './fuzz'
import { hasSandbox } from './sandbox'

const count = Number(process.env.DECKHAND_FUZZ ?? 3000)
const seed = Number(process.env.DECKHAND_SEED ?? Date.now() % 1_000_000)
/** A fault has to show within so many commands. */
const patience = 60_000

describe.skipIf(!hasSandbox())('what the gate lets through', () => {
  test('changes nothing', async () => {
    const result = await fuzz(realGate, { count, seed, tell: (line) => process.stderr.write(`${line}\n`) })
    const folder = resolve(import.meta.dirname, '../../test-results')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'fuzz.json'), JSON.stringify({ seed, ...result }, null, 1))
    expect({ seed, guilty: result.guilty }).toEqual({ seed, guilty: [] })
    expect(result.allowed).toBeGreaterThan(count / 50)
  })

  test.each(Object.entries(faults))('a gate that %s is caught', async (_, gate) => {
    expect((await fuzz(gate, { count: patience, seed, enough: 1 })).guilty).not.toEqual([])
  })
})

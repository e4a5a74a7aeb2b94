import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, type ScriptedModel, says, scriptedModel } from '../../e2e/scripted-model'
import { openDatabase } from '../database'
import { sweep } from './sweep'
import { type Bench, createBench } from './test-bench'

let bench: Bench<ScriptedModel>
beforeEach(async () => {
  bench = createBench(await scriptedModel())
})
afterEach(() => bench.close())

test('what a purged session left behind goes, everything else stays', async () => {
  const run = bench.start()
  const [kept, gone] = [run.newSession('all'), run.newSession('all')]
  for (const id of [kept, gone]) {
    bench.model.push(calls('Bash', { command: 'echo hello' }), says('done'))
    run.runner.send(id, 'go', [])
    await run.turnEnd(id)
  }
  const spillDir = join(bench.folder, 'results')
  mkdirSync(spillDir, { recursive: true })
  for (const id of [kept, gone]) writeFileSync(join(spillDir, `${run.transcript(id).calls[0]?.id}-1.txt`), 'whole')
  writeFileSync(join(spillDir, 'notes.txt'), 'not ours')
  const typing = {
    verdict: 'allow',
    action: 'exec',
    match: { kind: 'tool', key: 'process.type' },
    sentence: '',
  } as const
  run.store.rules.add({ ...typing, scope: 'process', subject: run.table.list()[0]?.id ?? '' })
  const lasting = run.store.rules.add({ ...typing, scope: 'session', subject: kept })
  const [keptFile] = run.transcript(kept).calls.map(({ id }) => `${id}-1.txt`)

  run.runner.deleteSession(gone)
  await sweep({ store: run.store, table: run.table, spillDir })
  expect(readdirSync(spillDir)).toHaveLength(3)
  expect(run.store.rules.list()).toEqual([lasting])

  const database = openDatabase(bench.folder)
  database.prepare('DELETE FROM sessions WHERE id = ?').run(gone)
  database.close()
  await sweep({ store: run.store, table: run.table, spillDir })
  expect(readdirSync(spillDir).toSorted()).toEqual([keptFile, 'notes.txt'].toSorted())
  expect(run.table.list().map(({ sessionId }) => sessionId)).toEqual([kept])
})

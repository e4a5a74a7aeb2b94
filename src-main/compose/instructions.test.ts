import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, type ScriptedModel, says, scriptedModel } from '../../e2e/scripted-model'
import type { Engine } from '../engine'
import { makeFolder, removeFolder } from '../test-folder'
import { openEngine } from './test-engine'

let root: string
let workspace: string
let model: ScriptedModel
let engine: Engine

beforeEach(async () => {
  root = makeFolder('instructions')
  workspace = join(root, 'workspace')
  mkdirSync(join(workspace, 'pkg'), { recursive: true })
  model = await scriptedModel()
  engine = await openEngine(join(root, 'data'))
})
afterEach(async () => {
  await engine.close()
  await model.close()
  removeFolder(root)
})

const textOf = (index: number) => JSON.stringify(model.requests[index]?.body.messages)

test('the nearest instructions come with the first file that is read below them, and the prompt stays as it was', async () => {
  writeFileSync(join(workspace, 'AGENTS.md'), 'Root rules.')
  writeFileSync(join(workspace, 'pkg/AGENTS.md'), 'Rules of pkg.')
  writeFileSync(join(workspace, 'pkg/file.txt'), 'hello')
  model.push(
    calls('Read', { path: 'pkg/file.txt' }),
    calls('Read', { path: 'pkg/file.txt' }),
    says('Done.'),
    says('Yes.'),
  )
  const chosen = `${engine.providers.addTemporary('openai', model.baseUrl)}/scripted`
  const { id } = engine.createSession({ workspace, model: chosen, mode: 'safe' })
  await engine.runner.sendAndWait(id, 'Read it')
  await engine.runner.sendAndWait(id, 'Again?')
  const systems = model.requests.map(({ body }) => body.messages[0].content)
  expect(systems[0]).toContain('Root rules.')
  expect(systems[0]).not.toContain('Rules of pkg.')
  expect(new Set(systems).size).toBe(1)
  expect(textOf(1)).toContain('Rules of pkg.')
  expect(textOf(2).split('Rules of pkg.')).toHaveLength(2)
  expect((await engine.instructions.view(id)).files.map(({ path }) => path)).toEqual(['AGENTS.md', 'pkg/AGENTS.md'])
})

import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decide } from '../../approval/decide'
import { localFileView } from '../../approval/paths/file-view'
import type { Access, Decision } from '../../approval/types'
import { localFiles } from '../../nodes/files/local-files'
import { makeFolder, removeFolder } from '../../test-folder'
import type { ToolNode } from '../nodes/tool-node'
import { testContext } from '../test-context'
import type { Tool } from '../tool'
import { createDeleteTool } from './delete'
import { createEditTool } from './edit'
import { createGlobTool } from './glob'
import { createGrepTool } from './grep'
import { createListTool } from './list'
import { type Racer, startRacer } from './racer'
import { createReadTool } from './read'
import { createWriteTool } from './write'

const secret = 'CANARY-outside'
const rounds = 300
let root: string
let workspace: string
let outside: string
let racer: Racer

beforeEach(async () => {
  root = makeFolder('race')
  workspace = join(root, 'work')
  outside = join(root, 'outside')
  for (const folder of [join(workspace, 'd'), outside]) mkdirSync(folder, { recursive: true })
  fill()
  writeFileSync(join(outside, 'f.txt'), `${secret}\n`)
  writeFileSync(join(outside, 'only-outside'), `${secret}\n`)
  symlinkSync(outside, join(workspace, 'swap'))
  racer = await startRacer(join(workspace, 'd'), join(workspace, 'swap'))
})
afterEach(async () => {
  await racer.stop()
  removeFolder(root)
})

const fill = (): void => {
  for (const folder of ['d', 'd.aside']) {
    if (existsSync(join(workspace, folder)) && realpathSync(join(workspace, folder)).startsWith(workspace))
      writeFileSync(join(realpathSync(join(workspace, folder)), 'f.txt'), 'inside\n')
  }
}

const node: ToolNode = { id: 'local', files: () => localFiles }

/** As in `dispatch`: what the gate allowed is run, with the paths that it checked. */
async function attempt<Input>(tool: Tool<Input>, input: Input): Promise<string | null> {
  const context = testContext(workspace)
  const access = await tool.access(input, context)
  const { verdict, targets } = judge(access)
  if (verdict !== 'allow') return null
  context.checked = targets.flatMap((target) => (target.kind === 'path' ? target.path : []))
  try {
    return JSON.stringify(await tool.run(input, context))
  } catch {
    return null // The folder was missing at that moment, or led elsewhere.
  }
}

function judge(access: Access): Decision {
  const files = localFileView(join(root, 'home'), process.env.PATH ?? '')
  return decide(access, { mode: 'workspace', rules: [], sessionId: 's', now: 1 }, files)
}

async function race<Input>(tool: Tool<Input>, input: Input): Promise<string[]> {
  const shown: string[] = []
  for (let round = 0; round < rounds; round++) {
    const result = await attempt(tool, input)
    if (result !== null) shown.push(result)
  }
  return shown
}

const seen = (results: string[]): string[] => results.filter((result) => /CANARY|only-outside/.test(result))

test('Read shows nothing from outside, however often the folder is swapped', async () => {
  expect(seen(await race(createReadTool(node), { path: 'd/f.txt' }))).toEqual([])
})

test('List names nothing from outside', async () => {
  expect(seen(await race(createListTool(node), { path: 'd' }))).toEqual([])
}, 60_000)

test('Grep and Glob find nothing outside', async () => {
  const searches = 25
  const results: string[] = []
  for (let round = 0; round < searches; round++) {
    results.push((await attempt(createGrepTool(node), { pattern: 'CANARY|inside', path: 'd' })) ?? '')
    results.push((await attempt(createGrepTool(node), { pattern: 'CANARY|inside' })) ?? '')
    results.push((await attempt(createGlobTool(node), { pattern: '*', path: 'd' })) ?? '')
  }
  expect(seen(results.map((result) => result.replaceAll('CANARY|inside', '')))).toEqual([])
}, 60_000)

test('Write and Edit change nothing outside', async () => {
  await race(createWriteTool(node), { path: 'd/f.txt', content: 'written\n' })
  await race(createEditTool(node), { path: 'd/f.txt', oldString: 'written', newString: 'written' })
  expect(readFileSync(join(outside, 'f.txt'), 'utf8')).toBe(`${secret}\n`)
})

test('Delete removes nothing outside, also from folders below', async () => {
  for (const folder of ['deep', 'deep/er']) mkdirSync(join(outside, folder))
  writeFileSync(join(outside, 'deep/er/x'), 'x')
  for (let round = 0; round < rounds; round++) {
    await attempt(createDeleteTool(node), { path: 'd/f.txt' })
    await attempt(createDeleteTool(node), { path: 'd/deep', recursive: true })
  }
  expect(readFileSync(join(outside, 'f.txt'), 'utf8')).toBe(`${secret}\n`)
  expect(existsSync(join(outside, 'deep/er/x'))).toBe(true)
})

test('Grep leaves out what looks secret and what a link leads out to, and does not tell whether it matches', async () => {
  await racer.stop()
  rmSync(join(workspace, 'd.aside'), { recursive: true, force: true })
  rmSync(join(workspace, 'd'), { recursive: true, force: true })
  rmSync(join(workspace, 'swap'), { recursive: true, force: true })
  mkdirSync(join(workspace, 'src'))
  for (const name of ['.env', 'src/id_rsa', 'src/plain.txt']) writeFileSync(join(workspace, name), `x\nKEY ${name}\n`)
  symlinkSync(outside, join(workspace, 'out'))
  symlinkSync('src', join(workspace, 'again'))
  const found = JSON.parse((await attempt(createGrepTool(node), { pattern: 'KEY|CANARY' })) ?? '{}')
  const { matches, ...rest } = JSON.parse(found.content[0].text)
  expect(matches).toEqual(
    ['again', 'src'].map((folder) => ({
      path: join(workspace, folder, 'plain.txt'),
      line: 2,
      content: 'KEY src/plain.txt',
    })),
  )
  expect(rest).toEqual({ pattern: 'KEY|CANARY', basePath: workspace, count: 2 })
  expect(await attempt(createGrepTool(node), { pattern: 'KEY', path: '.env' })).toBeNull()
})

test('a link is judged where it lies, not only where it leads to', async () => {
  await racer.stop()
  rmSync(join(workspace, 'swap'), { force: true })
  symlinkSync(outside, join(workspace, 'out'))
  symlinkSync(workspace, join(outside, 'back'))
  mkdirSync(join(workspace, 'sub'), { recursive: true })
  symlinkSync(join(workspace, 'sub'), join(outside, 'into'))
  expect(await attempt(createDeleteTool(node), { path: 'out/into' })).toBeNull()
  expect(existsSync(join(outside, 'into'))).toBe(true)
})

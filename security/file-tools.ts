import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Access } from '../src-main/approval/types'
import { dispatch } from '../src-main/tools/dispatch'
import { createApplyPatchTool } from '../src-main/tools/files/apply-patch'
import { createGlobTool } from '../src-main/tools/files/glob'
import { createWriteTool } from '../src-main/tools/files/write'
import { localToolNode } from '../src-main/tools/nodes/tool-node'
import type { CallGate } from '../src-main/tools/permission'
import type { Tool } from '../src-main/tools/tool'
import type { ApprovalMode } from '../src-preload/contract/sessions'
import type { ToolState } from '../src-preload/contract/tool-calls'
import { type Case, type Result, undecided, verdict } from './cases'
import { decideOn, type Ground } from './gate'

const maxResults = 1000
const flips = 400
const UNPACKING = [
  'unzip a.zip',
  'unzip -o -d src a.zip',
  'tar xf a.tar',
  'tar -xzf a.tgz -C src',
  'bsdtar -xf a.zip',
  '7z x a.7z',
  'jar xf a.jar',
  'cpio -id < a.cpio',
  'gunzip a.gz',
  'zcat a.gz > a',
  'unar a.rar',
  'python3 -m zipfile -e a.zip .',
  'python3 -m tarfile -e a.tar',
  'ditto -x -k a.zip .',
]

/** Cases that the words of a path do not decide: patches, searches, and folders that change while a file is written. */
export async function judgeFileTool(one: Case, tool: string, text: string, ground: Ground): Promise<Result> {
  if (tool === 'apply_patch') return judgePatch(one, text, ground)
  if (tool === 'glob') return judgeGlob(one, text, ground)
  if (tool === 'write_file') return judgeRace(one, text, ground)
  if (tool === 'extract') return judgeUnpacking(one, ground)
  return undecided(one, `there is no tool that does “${tool}”`)
}

/** No tool unpacks archives, so nothing but a command can; every such command has to ask, wherever it would write. */
function judgeUnpacking(one: Case, ground: Ground): Result {
  const { workspace } = ground
  const unasked = UNPACKING.filter(
    (command) =>
      decideOn(ground, { action: 'exec', node: 'local', cwd: workspace, workspace, command }, 'workspace').verdict ===
      'allow',
  )
  return verdict(one, unasked.length === 0, `not asked about: ${unasked.join('; ')}`)
}

async function judgePatch(one: Case, patch: string, ground: Ground): Promise<Result> {
  const before = snapshot(ground.root)
  const whole = patch.includes('*** Begin Patch') ? patch : `*** Begin Patch\n${patch}\n*** End Patch`
  const end = await call(createApplyPatchTool(localToolNode()) as Tool, { patch: whole }, ground, 'workspace')
  return verdict(one, snapshot(ground.root) === before && end !== 'done', `the patch ended ${end}`)
}

async function judgeGlob(one: Case, pattern: string, ground: Ground): Promise<Result> {
  let found = ''
  const end = await call(createGlobTool(localToolNode()) as Tool, { pattern }, ground, 'workspace', (state) => {
    if (state.status === 'done') found = JSON.stringify(state.content)
  })
  const count = found.split(ground.workspace).length - 1
  const ok = end !== 'done' || (!/rootlink\/[^*]/.test(found) && count <= maxResults)
  return verdict(one, ok, `${count} results`)
}

/** Another program swaps the folder for a link to the outside, again and again, while files are written into it. */
async function judgeRace(one: Case, path: string, ground: Ground): Promise<Result> {
  const [folder = 'race', name = 'x.txt'] = path.split('/')
  const inside = join(ground.workspace, folder)
  const aside = join(ground.root, 'aside')
  mkdirSync(inside)
  const moves = String(one.setup.fs ?? '').includes('mv ')
  const write = createWriteTool(localToolNode()) as Tool
  let swapped = false
  const swap = (): void => {
    try {
      if (swapped) {
        rmSync(inside, { force: true })
        renameSync(aside, inside)
      } else {
        renameSync(inside, aside)
        if (!moves) symlinkSync(ground.outside, inside)
      }
      swapped = !swapped
    } catch {
      // The writer made the folder anew in between: the next swap starts from there.
      rmSync(aside, { recursive: true, force: true })
      swapped = false
    }
  }
  for (let turn = 0; turn < flips; turn++) {
    const writing = call(write, { path, content: `${turn}` }, ground, 'workspace')
    for (let step = 0; step < 6; step++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (step % 2 === turn % 2) swap()
    }
    await writing
  }
  const landed = existsSync(join(ground.outside, name))
  return verdict(one, !landed, 'a file was written outside the workspace')
}

/** Takes a call through the one path of all calls. Nobody is there to say yes. */
async function call(
  tool: Tool,
  input: unknown,
  ground: Ground,
  mode: ApprovalMode,
  watch: (state: ToolState) => void = () => undefined,
): Promise<ToolState['status']> {
  let status: ToolState['status'] = 'pending'
  const gate: CallGate = {
    mode,
    decide: (access: Access) => decideOn(ground, access, mode),
    ask: async () => ({ answer: { decision: 'deny' } }),
  }
  await dispatch(
    {
      toolset: {
        name: 'security',
        tools: new Map([['Tool', tool]]),
        renderFailure: ({ message }) => [{ type: 'text', text: message }],
      },
      name: 'Tool',
      arguments: input,
    },
    { sessionId: 's', callId: 'c', workspace: ground.workspace, signal: new AbortController().signal },
    gate,
    {
      gist: () => undefined,
      grant: () => undefined,
      state: (state) => {
        status = state.status
        watch(state)
      },
    },
    { maxResultBytes: 200_000, spillDir: join(ground.root, 'spill') },
  )
  return status
}

/** Every file below a folder with its content, and every link. */
function snapshot(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stats = lstatSync(join(folder, name))
      return `${name} ${stats.isFile() ? readFileSync(join(folder, name), 'utf8') : stats.mode}`
    })
    .join('\n')
}

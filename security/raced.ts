import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { localFiles } from '../src-main/nodes/files/local-files'
import { createApplyPatchTool } from '../src-main/tools/files/apply-patch'
import { createDeleteTool } from '../src-main/tools/files/delete'
import { createEditTool } from '../src-main/tools/files/edit'
import { createGlobTool } from '../src-main/tools/files/glob'
import { createGrepTool } from '../src-main/tools/files/grep'
import { createListTool } from '../src-main/tools/files/list'
import { startRacer } from '../src-main/tools/files/racer'
import { createReadTool } from '../src-main/tools/files/read'
import { createWriteTool } from '../src-main/tools/files/write'
import type { ToolNode } from '../src-main/tools/nodes/tool-node'
import type { Tool, ToolContext } from '../src-main/tools/tool'
import { type Case, failed, type Judge, passed, type Result } from './cases'
import { canary, stage } from './effects'
import { decideOn, type Ground, onGround } from './gate'

const node: ToolNode = { id: 'local', files: () => localFiles }
const TOOLS: ReadonlyMap<string, Tool> = new Map<string, Tool>(
  Object.entries({
    Read: createReadTool(node),
    List: createListTool(node),
    Grep: createGrepTool(node),
    Glob: createGlobTool(node),
    Write: createWriteTool(node),
    Edit: createEditTool(node),
    Delete: createDeleteTool(node),
    ApplyPatch: createApplyPatchTool(node),
  }) as [string, Tool][],
)

interface Attempt {
  tool: string
  input: unknown
  rounds?: number
}

/**
 * File tools while another process swaps the folder `d` with a link that leads out, again and again. Nothing outside may be
 * shown or changed. Without `race`, the link is simply there.
 */
export const racedJudge: Judge = {
  classes: ['check-then-use', 'secret-door'],
  async run(cases) {
    const results: Result[] = []
    for (const one of cases) if (isAttempt(one)) results.push(await onGround((ground) => judge(one, ground)))
    return results
  },
}

const isAttempt = ({ input }: Case): boolean => typeof input === 'object' && input !== null && 'tool' in input

async function judge(one: Case, ground: Ground): Promise<Result> {
  stage(one, ground)
  const { workspace, outside } = ground
  const before = readFileSync(join(outside, 'secret.txt'), 'utf8')
  const racer = one.setup.race ? await startRacer(join(workspace, 'd'), join(workspace, 'swap')) : null
  try {
    const { tool, input, rounds = 1 } = one.input as Attempt
    const used = TOOLS.get(tool)
    if (!used) return failed(one, `there is no tool ${tool}`)
    for (let round = 0; round < rounds; round++) {
      const shown = await attempt(used, input, ground)
      if (shown.includes(canary))
        return failed(one, `it showed something from outside, or a secret: ${shown.slice(0, 200)}`)
    }
  } finally {
    await racer?.stop()
  }
  const after = join(outside, 'secret.txt')
  return existsSync(after) && readFileSync(after, 'utf8') === before
    ? passed(one)
    : failed(one, 'it changed what is outside')
}

/** As `dispatch` does it; what is refused or fails shows nothing. */
async function attempt(tool: Tool, raw: unknown, ground: Ground): Promise<string> {
  const { workspace } = ground
  const signal = AbortSignal.timeout(20_000)
  const context = {
    sessionId: 's',
    callId: 'c',
    workspace,
    signal,
    resultBytes: 100_000,
    show() {},
  } as unknown as ToolContext
  try {
    const input = tool.parse(raw)
    const { verdict, targets, follow } = decideOn(ground, await tool.access(input, context), 'workspace')
    if (verdict !== 'allow') return ''
    context.checked = targets.flatMap((target) => (target.kind === 'path' ? target.path : []))
    if (follow) context.follow = follow
    const { content, display } = await tool.run(input, context)
    return JSON.stringify([content, display])
  } catch {
    return '' // The folder was away just then, or it was somewhere else.
  }
}

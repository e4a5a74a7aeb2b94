import { rmSync } from 'node:fs'
import type { Decision } from '../../src-main/approval/types'
import { decideOn, type Ground, onGround } from '../gate'
import { createGrammar } from './grammar'
import { type Allowed, picture, runInSandbox } from './sandbox'

/** How a gate answers a command: the real one, or one with a fault in it. */
export type GateUnderTest = (command: string, ground: Ground) => Pick<Decision, 'verdict' | 'env'>

export const realGate: GateUnderTest = (command, ground) => {
  const { workspace } = ground
  return decideOn(ground, { action: 'exec', node: 'local', cwd: workspace, workspace, command }, 'safe')
}

interface FuzzResult {
  generated: number
  allowed: number
  /** Commands that were let through and changed something. */
  guilty: string[]
}

const batchSize = 500
/** Where the first effect is enough, small batches find it sooner. */
const smallBatch = 60

/** Generates commands, runs what the gate lets through, and looks for anything that is different afterwards. */
export async function fuzz(
  gate: GateUnderTest,
  options: { count: number; seed: number; enough?: number; tell?: (line: string) => void },
): Promise<FuzzResult> {
  const next = createGrammar(options.seed)
  const result: FuzzResult = { generated: 0, allowed: 0, guilty: [] }
  const known = new Set<string>()
  while (result.generated < options.count && result.guilty.length < (options.enough ?? Number.POSITIVE_INFINITY)) {
    const batch = await onGround((ground) => {
      prepare(ground)
      const list: Allowed[] = []
      const size = options.enough === undefined ? batchSize : smallBatch
      while (list.length < size && result.generated < options.count) {
        const command = next()
        result.generated++
        const { verdict, env } = gate(command, ground)
        if (verdict !== 'allow') continue
        result.allowed++
        if (known.has(command)) continue
        known.add(command)
        list.push({ command, env: env ?? {} })
      }
      return hasEffect(ground, list) ? list : []
    })
    result.guilty.push(...(await guiltyOf(batch, options.enough !== undefined)))
    options.tell?.(
      `${result.generated} commands, ${result.allowed} let through, ${known.size} run, ${result.guilty.length} with an effect ${JSON.stringify(result.guilty)}`,
    )
  }
  return result
}

/** Which of them it was, by halves. */
async function guiltyOf(list: readonly Allowed[], oneWillDo: boolean): Promise<string[]> {
  if (list.length === 0) return []
  const effect = await onGround((ground) => {
    prepare(ground)
    return hasEffect(ground, list)
  })
  if (!effect) return []
  if (list.length === 1) return list.map(({ command }) => command)
  const middle = list.length >> 1
  const first = await guiltyOf(list.slice(0, middle), oneWillDo)
  return oneWillDo && first.length > 0 ? first : [...first, ...(await guiltyOf(list.slice(middle), oneWillDo))]
}

function hasEffect(ground: Ground, list: readonly Allowed[]): boolean {
  if (list.length === 0) return false
  const before = picture(ground.root)
  try {
    runInSandbox(ground, list)
  } finally {
    rmSync(`${ground.root}.commands`, { force: true })
  }
  return picture(ground.root) !== before
}

function prepare(ground: Ground): void {
  ground.shell(`ln -s a.txt link; ln -s $OUT dlink; printf 'sp' > 'with space'
    git init -q . && git -c user.name=x -c user.email=x@y add a.txt b.txt && git -c user.name=x -c user.email=x@y commit -q -m one
    git status > /dev/null
    printf '#!/bin/sh\ntouch "$OUT/ran"\n' > tool; chmod +x tool; cp tool ls
    mkdir evil && cd evil && git init -q . && git config core.fsmonitor 'touch ../ran;:'`)
}

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from './errors'
import { type GatewayBench, sessionId, startNode, type TestNode, until } from './test-bench'

const callMs = 60_000
/** Fifty programs that start at once on a small, busy machine need a long time. */
const connectMs = 180_000
/** A node rests this many times as long as its command took, so that restarting nodes get enough of the machine. */
const restFactor = 5

export interface ManyNodesOptions {
  script: string
  nodes: number
  /** Calls are made until this returns true. */
  isEnough(state: { answered: number; killed: number; sinceMs: number }): boolean
  /** The time between two kills. */
  killEveryMs: number
  /** The least pause after each command of a node; longer on a slow machine. */
  pauseMs?: number
  /** Called about once a second. */
  look?(answered: number): void
}

/** How the calls of a node ended, in order. Nothing more is kept, since memory is measured. */
type Ends = ('answered' | 'lost')[]

export interface ManyNodesResult {
  answered: number
  /** Calls that failed because the connection was lost: whether they ran is unknown. */
  lost: number
  killed: number
  /** How often a kill was due but no node was connected. */
  passed: number
  /** For how long nodes were killed. */
  killingMs: number
  /** What went wrong, as messages; empty if nothing did. */
  wrong: string[]
}

/**
 * Many real nodes on one gateway. Each runs one command after another, which adds a unique mark to a file, while nodes
 * are killed and restarted. At the end the files show what actually ran.
 */
export async function playManyNodes(bench: GatewayBench, options: ManyNodesOptions): Promise<ManyNodesResult> {
  const url = await bench.url()
  const tokens = new Map<string, string>()
  const alive = new Map<string, TestNode>()
  const calls = new Map<string, Ends>()
  const wrong: string[] = []
  const begun = performance.now()
  let [answered, lost] = [0, 0]
  let [killed, passed] = [0, 0]
  let killingMs = 0
  let enough = false

  const start = (id: string): void => {
    const token = tokens.get(id) ?? ''
    alive.set(id, startNode({ script: options.script, url, token, id, folder: bench.folder }))
  }
  for (let index = 0; index < options.nodes; index++) {
    const id = `n${index}`
    tokens.set(id, bench.gateway.add({ id }).token)
    start(id)
  }
  const ids = [...tokens.keys()]
  const connected = (id: string): Promise<unknown> => until(() => bench.gateway.isConnected(id), connectMs)

  /** Returns true if the call was answered, false if its node was lost. */
  const run = async (id: string, mark: string): Promise<boolean> => {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(new Error(`${mark} took more than ${callMs / 1000} s`)), callMs)
    const args = { command: `echo ${mark} >> marks; echo said ${mark}` }
    try {
      const request = { nodeId: id, tool: 'Bash', args, sessionId, signal: limit.signal }
      const outcome = await bench.gateway.invoke(request)
      if (!JSON.stringify(outcome).includes(`said ${mark}`)) wrong.push(`${mark} got ${JSON.stringify(outcome)}`)
      return true
    } catch (error) {
      if (!(error instanceof GatewayError && error.code === 503)) wrong.push(`${mark}: ${error}`)
      return false
    } finally {
      clearTimeout(timer)
    }
  }
  const work = async (id: string): Promise<void> => {
    const ends: Ends = []
    calls.set(id, ends)
    while (!enough) {
      await connected(id)
      const from = performance.now()
      const isAnswered = await run(id, markOf(id, ends.length))
      ends.push(isAnswered ? 'answered' : 'lost')
      if (isAnswered) answered++
      else lost++
      if (options.pauseMs) await sleep(Math.max(options.pauseMs, restFactor * (performance.now() - from)))
    }
  }
  /** Nodes that were killed and are not back yet. */
  const away = new Set<string>()
  const killOne = async (id: string): Promise<void> => {
    killed++
    away.add(id)
    await alive.get(id)?.stop('SIGKILL')
    await until(() => !bench.gateway.isConnected(id), connectMs)
    start(id)
    away.delete(id)
  }
  /** Kills at fixed intervals, however long a node takes to come back: several may be away at a time. */
  const kill = async (): Promise<void> => {
    const killings: Promise<unknown>[] = []
    const from = performance.now()
    // In turn rather than at random, so that each one gets killed; one that is not back yet is skipped.
    const turns = [...ids]
    for (let tick = 1; ; tick++) {
      await sleep(Math.max(0, from + tick * options.killEveryMs - performance.now()))
      if (enough) break
      const id = turns.find((each) => !away.has(each) && bench.gateway.isConnected(each))
      if (id === undefined) {
        passed++
        continue
      }
      turns.push(...turns.splice(turns.indexOf(id), 1))
      killings.push(killOne(id).catch((error: unknown) => wrong.push(`${id} was not replaced: ${error}`)))
    }
    killingMs = performance.now() - from
    await Promise.all(killings)
  }
  const watch = async (): Promise<void> => {
    while (!enough) {
      await sleep(1000)
      options.look?.(answered)
      enough = options.isEnough({ answered, killed, sinceMs: performance.now() - begun })
    }
  }
  try {
    for (const id of ids) await connected(id)
    await Promise.all([...ids.map(work), kill(), watch()])
    wrong.push(...ids.flatMap((id) => marksWrong(bench.folder, id, calls.get(id) ?? [])))
    return { answered, lost, killed, passed, killingMs, wrong }
  } finally {
    enough = true
    await Promise.all([...alive.values()].map((node) => node.stop('SIGKILL')))
  }
}

const markOf = (node: string, number: number): string => `${node}-${number}`

/** Each answered call ran once, each lost one at most once, in the order in which they were made. */
function marksWrong(folder: string, id: string, ends: Ends): string[] {
  const file = join(folder, `${id}-workspace`, 'marks')
  const marks = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  const counts = new Map<string, number>()
  for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1)
  const order = new Map(ends.map((_, number) => [markOf(id, number), number]))
  return [
    ...[...counts].filter(([, count]) => count > 1).map(([mark, count]) => `${mark} ran ${count} times`),
    ...ends.flatMap((end, number) =>
      end === 'answered' && !counts.has(markOf(id, number)) ? `${markOf(id, number)} did not run` : [],
    ),
    ...marks.filter((mark) => !order.has(mark)).map((mark) => `${mark} was never asked for`),
    ...marks
      .filter((mark, index) => index > 0 && (order.get(mark) ?? 0) < (order.get(marks[index - 1] ?? '') ?? 0))
      .map((mark) => `${mark} ran late`),
  ]
}

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from './errors'
import { type GatewayBench, sessionId, startNode, type TestNode, until } from './test-bench'

const callMs = 60_000

export interface ManyNodesOptions {
  script: string
  nodes: number
  /** Calls are made until this is true. */
  isEnough(state: { answered: number; killed: number; sinceMs: number }): boolean
  /** Between two kills. */
  killEveryMs: number
  /** After each command of a node. */
  pauseMs?: number
  /** Called about once a second. */
  look?(answered: number): void
}

interface Call {
  node: string
  mark: string
  end: 'answered' | 'lost'
}

export interface ManyNodesResult {
  answered: number
  /** Calls that ended with the words that the connection was lost: whether they ran is not known. */
  lost: number
  killed: number
  /** For how long nodes were killed. */
  killingMs: number
  /** What went wrong, in words; empty if nothing. */
  wrong: string[]
}

/**
 * Many real nodes on one gateway. Each runs a command after the other that writes a mark of its own to a file, while nodes are
 * killed and started again. Then the files tell what really ran.
 */
export async function playManyNodes(bench: GatewayBench, options: ManyNodesOptions): Promise<ManyNodesResult> {
  const url = await bench.url()
  const tokens = new Map<string, string>()
  const alive = new Map<string, TestNode>()
  const calls: Call[] = []
  const wrong: string[] = []
  const begun = performance.now()
  let killed = 0
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
  const connected = (id: string): Promise<unknown> => until(() => bench.gateway.isConnected(id))

  const work = async (id: string): Promise<void> => {
    for (let number = 0; !enough; number++) {
      await connected(id)
      const mark = `${id}-${number}`
      const args = { command: `echo ${mark} >> marks; echo said ${mark}` }
      try {
        const signal = AbortSignal.timeout(callMs)
        const outcome = await bench.gateway.invoke({ nodeId: id, tool: 'Bash', args, sessionId, signal })
        if (!JSON.stringify(outcome).includes(`said ${mark}`)) wrong.push(`${mark} got ${JSON.stringify(outcome)}`)
        calls.push({ node: id, mark, end: 'answered' })
      } catch (error) {
        if (!(error instanceof GatewayError && error.code === 503)) wrong.push(`${mark}: ${error}`)
        calls.push({ node: id, mark, end: 'lost' })
      }
      if (options.pauseMs) await sleep(options.pauseMs)
    }
  }
  const answered = (): number => calls.filter(({ end }) => end === 'answered').length
  /** Killed, and not started again yet. */
  const away = new Set<string>()
  const killOne = async (id: string): Promise<void> => {
    killed++
    away.add(id)
    await alive.get(id)?.stop('SIGKILL')
    await until(() => !bench.gateway.isConnected(id))
    start(id)
    away.delete(id)
  }
  /** By the clock, however long a node takes to come back: several may be away at a time. */
  const kill = async (): Promise<void> => {
    const killings: Promise<unknown>[] = []
    const from = performance.now()
    // In turn rather than at random, so that each is killed; one that is not back yet is passed over.
    const turns = [...ids]
    for (let tick = 1; ; tick++) {
      await sleep(Math.max(0, from + tick * options.killEveryMs - performance.now()))
      if (enough) break
      const id = turns.find((each) => !away.has(each) && bench.gateway.isConnected(each))
      if (id === undefined) continue
      turns.push(...turns.splice(turns.indexOf(id), 1))
      killings.push(killOne(id).catch((error: unknown) => wrong.push(`${id} was not replaced: ${error}`)))
    }
    killingMs = performance.now() - from
    await Promise.all(killings)
  }
  const watch = async (): Promise<void> => {
    while (!enough) {
      await sleep(1000)
      options.look?.(answered())
      enough = options.isEnough({ answered: answered(), killed, sinceMs: performance.now() - begun })
    }
  }
  try {
    for (const id of ids) await connected(id)
    await Promise.all([...ids.map(work), kill(), watch()])
    wrong.push(...ids.flatMap((id) => marksWrong(bench.folder, id, calls)))
    return { answered: answered(), lost: calls.length - answered(), killed, killingMs, wrong }
  } finally {
    enough = true
    await Promise.all([...alive.values()].map((node) => node.stop('SIGKILL')))
  }
}

/** Each answered call ran once, each lost one at most once, in the order in which they were made. */
function marksWrong(folder: string, id: string, calls: readonly Call[]): string[] {
  const file = join(folder, `${id}-workspace`, 'marks')
  const marks = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  const counts = new Map<string, number>()
  for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1)
  const own = calls.filter(({ node }) => node === id)
  const order = new Map(own.map(({ mark }, index) => [mark, index]))
  return [
    ...[...counts].filter(([, count]) => count > 1).map(([mark, count]) => `${mark} ran ${count} times`),
    ...own.filter(({ mark, end }) => end === 'answered' && !counts.has(mark)).map(({ mark }) => `${mark} did not run`),
    ...marks.filter((mark) => !order.has(mark)).map((mark) => `${mark} was never asked for`),
    ...marks
      .filter((mark, index) => index > 0 && (order.get(mark) ?? 0) < (order.get(marks[index - 1] ?? '') ?? 0))
      .map((mark) => `${mark} ran late`),
  ]
}

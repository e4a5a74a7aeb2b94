import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ImportItem, ImportReport } from '../../src-preload/contract/moving-in'
import { UsageError } from '../arguments'
import { openHeadlessEngine } from './headless-engine'
import type { Stopping } from './stopping'
import { confirm } from './terminal-question'

/** Shows what other agents have on this machine, and takes over what was chosen. Nothing is written back to them. */
export async function importFrom(options: Map<string, string>, _: string[], stopping: Stopping): Promise<number> {
  const home = options.has('from') ? resolve(options.get('from') ?? '') : undefined
  if (home !== undefined && !existsSync(home)) throw new UsageError(`--from: there is no folder ${home}`)
  const json = options.has('json')
  const engine = await openHeadlessEngine(options, stopping)
  try {
    const found = await engine.movingIn.look(home)
    const chosen = choose(found.items, options.get('take'))
    if (!json) for (const line of linesOf(found.items)) process.stdout.write(`${line}\n`)
    if (options.has('dry-run') || chosen.length === 0) {
      if (json) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
      return 0
    }
    if (!(await confirm(`Import ${chosen.length} of these?`, options, stopping))) return stopping.exitCode ?? 1
    const report = await engine.movingIn.take(
      chosen.map(({ id }) => id),
      home,
    )
    if (json) process.stdout.write(`${JSON.stringify({ ...found, ...report }, null, 2)}\n`)
    else for (const line of reportLines(report)) process.stdout.write(`${line}\n`)
    return report.failed.length > 0 ? 1 : 0
  } finally {
    await engine.close()
  }
}

/** Rules and hooks are taken only by their ids, or with all: they let something run without a question. */
function choose(items: readonly ImportItem[], take: string | undefined): ImportItem[] {
  const able = items.filter(({ state }) => state === 'ready')
  if (take === undefined) return able.filter(({ kind }) => kind !== 'rule' && kind !== 'hook')
  if (take === 'all') return able
  return take.split(/[\s,]+/).map((id) => {
    const item = able.find((each) => each.id === id)
    if (!item) throw new UsageError(`--take: there is nothing to import with the id ${id}`)
    return item
  })
}

const states = { ready: 'becomes', used: 'already works', taken: 'already imported', not: 'not imported' }

function linesOf(items: readonly ImportItem[]): string[] {
  if (items.length === 0) return ['Nothing was found of Claude Code, Codex, opencode, Gemini or VS Code.']
  return items.flatMap(({ id, tool, kind, name, from, becomes, note, state }) => [
    `${state === 'ready' ? id : '-'.padEnd(16)}  ${tool} ${kind}: ${name}  (${from})`,
    `                  ${states[state]}${[becomes, note]
      .filter(Boolean)
      .map((each) => `: ${each}`)
      .join('')}`,
  ])
}

const reportLines = ({ done, failed }: ImportReport): string[] => [
  ...done.map(({ words }) => words),
  ...failed.map(({ id, words }) => `Not imported (${id}): ${words}`),
]

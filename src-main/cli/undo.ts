import type { ReceiptSummary, UndoProblem, UndoStep } from '../../src-preload/contract/receipts'
import { UsageError } from '../arguments'
import type { Engine } from '../engine'
import { untilAborted } from '../tools/until-aborted'
import { latestSession, namedSession } from './earlier'
import { openHeadlessEngine, workspaceOf } from './headless-engine'
import type { Stopping } from './stopping'
import { confirm } from './terminal-question'

/** Lists what the calls of a session changed, the latest first, or takes one of them back. */
export async function undo(options: Map<string, string>, operands: string[], stopping: Stopping): Promise<number> {
  const workspace = workspaceOf(options)
  const engine = await openHeadlessEngine(options, stopping)
  try {
    const id = options.get('session')
    const session = id ? namedSession(engine, id) : latestSession(engine, workspace)
    if (!session) throw new UsageError('no earlier session in this workspace; use --session to choose another')
    const receipts = engine.receipts.list(session.id).reverse()
    const [number] = operands
    if (number === undefined) return list(receipts)
    const receipt = /^\d+$/.test(number) ? receipts[Number(number) - 1] : undefined
    if (!receipt) throw new UsageError(`no change ${number}; run deckhand undo to list them`)
    return await takeBack(engine, receipt, options, stopping)
  } finally {
    await engine.close()
  }
}

function list(receipts: readonly ReceiptSummary[]): number {
  if (receipts.length === 0) process.stderr.write('Nothing was changed in this session.\n')
  for (const [index, receipt] of receipts.entries()) {
    const { created, changed, deleted, undone, processes, gist, state } = receipt
    const counts = `+${created} ~${changed} -${deleted}`.padEnd(14)
    const facts = [
      ...(state === 'incomplete' ? ['unknown: Deckhand closed before it could check'] : []),
      ...(undone > 0 ? [`${undone} undone`] : []),
      ...processes.map(({ pid }) => `process ${pid} still running`),
    ]
    const rest = facts.length > 0 ? ` (${facts.join(', ')})` : ''
    process.stdout.write(`${String(index + 1).padStart(3)}  ${counts} ${gist}${rest}\n`)
  }
  return 0
}

async function takeBack(
  { receipts }: Engine,
  { callId }: ReceiptSummary,
  options: Map<string, string>,
  stopping: Stopping,
): Promise<number> {
  const direction = options.has('redo') ? 'redo' : 'undo'
  const force = options.has('force')
  const file = options.get('file')
  const paths = file === undefined ? undefined : [file]
  const steps = await receipts.preview(callId, direction, paths)
  const able = steps.filter(({ problem, canForce }) => !problem || (force && canForce))
  for (const step of steps) show(step, able.includes(step))
  if (able.length === 0) {
    process.stderr.write(`Nothing to ${direction}.\n`)
    return 1
  }
  const question = `${direction === 'undo' ? 'Undo' : 'Redo'} ${able.length} of ${steps.length}?`
  if (!(await untilAborted(confirm(question, options, stopping), stopping.signal))) return stopping.exitCode ?? 1
  const { done, left } = await receipts.undo(callId, direction, force, paths)
  process.stdout.write(`${done.length} ${direction === 'undo' ? 'undone' : 'redone'}\n`)
  for (const { path, problem } of left) process.stderr.write(`${path}: ${problems[problem]}\n`)
  return left.length === 0 ? 0 : 1
}

function show({ path, diff, problem }: UndoStep, able: boolean): void {
  process.stdout.write(`${path}${able || !problem ? '' : `: ${problems[problem]}`}\n`)
  if (able) process.stdout.write(`${diff.patch}\n\n`)
}

const problems: Record<UndoProblem, string> = {
  'changed-since': 'changed since; --force undoes that too, and --redo restores it',
  'not-kept': 'the earlier version was not saved',
  'not-empty': 'something else is in this folder now',
  'no-way': 'this path now leads somewhere else',
}

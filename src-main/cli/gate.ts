import { statSync } from 'node:fs'
import { UsageError } from '../arguments'
import { type HookVerdict, hookAnswer } from '../hook-gate/answer'
import { askWindow, longestPayload } from '../hook-gate/ask-window'
import { type HookCall, hookAccess, isInternal, readHook } from '../hook-gate/payload'
import { knockAtWindow } from '../tool-server/door'
import { dataDirOf } from './data-dir'
import { modeOf, openHeadlessEngine } from './headless-engine'
import type { Stopping } from './stopping'

/**
 * Answers the hook of another agent with the decision of our gate: reads the agent's question from standard input and prints
 * the answer in its own form. What has to be asked is asked in the window where one runs; otherwise the agent asks itself.
 */
export async function gate(options: Map<string, string>, _operands: string[], stopping: Stopping): Promise<number> {
  const text = await readInput()
  const call = readHook(text)
  if ('problem' in call) throw new UsageError(call.problem)
  if (isInternal(call)) return 0
  if (!statSync(call.workspace, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`There is no folder ${call.workspace}`)
  const verdict = (await inWindow(options, call, text, stopping)) ?? (await here(options, call, stopping))
  process.stdout.write(hookAnswer(call, verdict))
  return 0
}

async function inWindow(
  options: Map<string, string>,
  { workspace }: HookCall,
  text: string,
  stopping: Stopping,
): Promise<HookVerdict | null> {
  // A mode was named: it is decided here, without the window's own.
  if (options.has('approve')) return null
  const window = await knockAtWindow(dataDirOf(options), { workspace, gate: true })
  if (!window) return null
  stopping.attend(() => window.destroy())
  return askWindow(window, text)
}

async function here(options: Map<string, string>, call: HookCall, stopping: Stopping): Promise<HookVerdict> {
  const engine = await openHeadlessEngine(options, stopping, true)
  try {
    const { id } = engine.createSession({ workspace: call.workspace, mode: modeOf(options), title: call.agent })
    try {
      const { verdict, reason } = await engine.decide(hookAccess(call), id)
      return { verdict, reason }
    } finally {
      engine.runner.deleteSession(id)
    }
  } finally {
    await engine.close()
  }
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > longestPayload) throw new UsageError('The hook’s input is larger than 16 MB')
  }
  return Buffer.concat(chunks).toString('utf8')
}

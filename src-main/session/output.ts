import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunnerOptions } from './types'

const mostChars = 5_000_000

/** The whole of a result: what was kept beside the shortened text, or the output of the process, or the text itself. */
export const fullOutput = async (
  options: Pick<RunnerOptions, 'store' | 'table' | 'spillDir'>,
  callId: string,
): Promise<string> => {
  const { state } = options.store.calls.get(callId)
  try {
    return await readFile(join(options.spillDir, `${callId}.txt`), 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  const display = 'display' in state ? state.display : undefined
  if (display?.type === 'process' && options.table.list().some(({ id }) => id === display.processId)) {
    return (await options.table.output(display.processId, { maxChars: mostChars })).text
  }
  if (state.status === 'denied' || state.status === 'aborted') return state.message
  if (state.status !== 'done' && state.status !== 'failed') return ''
  return state.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

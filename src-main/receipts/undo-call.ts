import type { ReceiptFile, UndoResult } from '../../src-preload/contract/receipts'
import { type ReceiptHead, receiptOf } from './rows'
import { bring, type Direction, stepsOf, type UndoDeps } from './undo'

export interface UndoneCall {
  head: ReceiptHead
  files: ReceiptFile[]
  direction: Direction
  force: boolean
  paths: readonly string[] | undefined
  undoing: UndoDeps
  /** Called once if anything was done. */
  undone(head: ReceiptHead, files: ReceiptFile[], direction: Direction, done: readonly string[]): void
}

/** Undoes or redoes what a call did to its files, as far as that is possible. */
export async function bringAll(call: UndoneCall): Promise<UndoResult> {
  const { head, files, direction } = call
  const done: string[] = []
  const left: UndoResult['left'] = []
  try {
    for (const file of stepsOf(files, direction, call.paths)) {
      const result = await bring(call.undoing, file, direction, call.force)
      if (typeof result === 'string') left.push({ path: file.path, problem: result })
      else {
        done.push(file.path)
        files[files.indexOf(file)] = result
      }
    }
  } finally {
    // Records what was done, even if a later step failed.
    if (done.length > 0) call.undone(head, files, direction, done)
  }
  return { receipt: receiptOf(head, files), done, left }
}

const shownPaths = 10

/** For the agent, and for the user. */
export function undoneWords(
  gist: string,
  direction: Direction,
  paths: readonly string[],
): { text: string; forUser: string } {
  const verb = direction === 'undo' ? 'took back' : 'brought back'
  const more = paths.length > shownPaths ? ` and ${paths.length - shownPaths} more` : ''
  const names = `${paths.slice(0, shownPaths).join(', ')}${more}`
  return {
    text: `The user ${verb} what “${gist}” did to ${names}. Read files again before you rely on them.`,
    forUser: `You ${direction === 'undo' ? 'undid' : 'redid'} “${gist}” in ${names}`,
  }
}

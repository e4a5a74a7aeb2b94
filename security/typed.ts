import type { Access } from '../src-main/approval/types'
import { unreadLine } from '../src-main/nodes/typed-line'
import { keySequence } from '../src-main/tools/terminals/key-names'
import { typingAccess } from '../src-main/tools/terminals/typing-access'
import { type Case, type Judge, verdict } from './cases'
import { decideOn, type Ground, onGround } from './gate'

/** Text, or keys by their names. */
type Piece = string | { keys: string[] }

/** Commands that are typed into a shell in pieces. Where everything is allowed, a danger still has to ask for its word. */
export const typedJudge: Judge = {
  classes: ['typed-pieces'],
  run: (cases) => onGround((ground) => cases.map((one) => verdict(one, holds(one, ground), 'no word was asked for'))),
}

function holds(one: Case, ground: Ground): boolean {
  const asked = asksForWord(one.input as Piece[], ground)
  return one.expected.decision === 'word' ? asked : !asked
}

function asksForWord(pieces: readonly Piece[], ground: Ground): boolean {
  const { workspace } = ground
  let before = ''
  return pieces.some((piece) => {
    const sent = typeof piece === 'string' ? piece : piece.keys.map(keySequence).join('')
    const shown = typeof piece === 'string' ? piece : piece.keys.join(' ')
    const access: Access = typingAccess(shown, { sent, before }, { node: 'local', cwd: workspace, workspace })
    before = unreadLine(before, sent)
    return decideOn(ground, access, 'all').typedWord !== undefined
  })
}

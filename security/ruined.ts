import type { Access } from '../src-main/approval/types'
import { type Case, failed, type Judge, type Result, verdict } from './cases'
import { stage } from './effects'
import { decideOn, type Ground, onGround } from './gate'

/** Commands that throw away work. Where everything is allowed they still ask for a word, if there is something to lose. */
export const ruinedJudge: Judge = {
  classes: ['ruined-work'],
  async run(cases) {
    const results: Result[] = []
    for (const one of cases) results.push(await onGround((ground) => judge(one, ground)))
    return results
  },
}

function judge(one: Case, ground: Ground): Result {
  try {
    stage(one, ground)
  } catch (error) {
    return failed(one, `its setup failed: ${(error as Error).message.slice(0, 300)}`)
  }
  const { workspace } = ground
  const access: Access = { action: 'exec', node: 'local', cwd: workspace, workspace, command: String(one.input) }
  const { typedWord, verdict: said, reason } = decideOn(ground, access, 'all')
  const asked = said === 'ask' && typedWord !== undefined
  return verdict(one, one.expected.decision === 'word' ? asked : !asked, `${said}: ${reason}`)
}

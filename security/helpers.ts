import { execFileSync } from 'node:child_process'
import { lookAtCommit } from '../src-main/tools/shell/commit-look'
import { type Case, failed, type Judge, passed, type Result } from './cases'
import { stage } from './effects'
import { decideOn, type Ground, onGround } from './gate'

/** What Deckhand starts in a workspace on its own account: it may start nothing that the workspace names. */
export const helpersJudge: Judge = {
  classes: ['own-helper'],
  async run(cases) {
    const results: Result[] = []
    for (const one of cases) results.push(await onGround((ground) => judge(one, ground)))
    return results
  },
}

async function judge(one: Case, ground: Ground): Promise<Result> {
  stage(one, ground)
  const { workspace, home } = ground
  const kept = process.env.GIT_CONFIG_GLOBAL
  process.env.GIT_CONFIG_GLOBAL = `${home}/.gitconfig`
  try {
    const access = { action: 'exec', node: 'local', workspace, cwd: workspace, command: String(one.input) } as const
    await lookAtCommit(access, (look) => decideOn(ground, look, 'safe'))
  } finally {
    if (kept === undefined) delete process.env.GIT_CONFIG_GLOBAL
    else process.env.GIT_CONFIG_GLOBAL = kept
  }
  const marks = execFileSync('find', [ground.root, '-name', 'PWNED*'], { encoding: 'utf8' })
  return marks === '' ? passed(one) : failed(one, `it ran something: ${marks.trim()}`)
}

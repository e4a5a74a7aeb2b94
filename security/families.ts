import type { Access, Decision, PathAccess } from '../src-main/approval/types'
import type { Rule } from '../src-preload/contract/approval'
import { type Case, failed, type Judge, type Result, verdict } from './cases'
import { decideOn, type Ground, onGround } from './gate'

/**
 * Rules for whole families of commands and files: `setup.kept` is what the user allowed by the widest rule of the card,
 * `setup.then` happens afterwards, and the input has to be asked about or not.
 */
export const familiesJudge: Judge = {
  classes: ['rule-family'],
  async run(cases) {
    const results: Result[] = []
    for (const group of byProject(cases))
      results.push(...(await onGround((ground) => group.map((one, index) => judgeFamily(one, ground, index === 0)))))
    return results
  },
}

/** A decision changes nothing: where nothing happens afterwards, cases with the same files share them. */
function byProject(cases: readonly Case[]): Case[][] {
  const groups = new Map<string, Case[]>()
  for (const one of cases) {
    const key = one.setup.then === undefined ? String(one.setup.fs ?? '') : one.id
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}

/** A project with scripts, one of them dangerous, in a repository without hooks. */
const PROJECT = `cd $WS && git init -q . && mkdir -p src/deep lib .vscode && echo 1 > src/a.ts && echo 1 > lib/b.ts
cat > package.json <<'E'
{ "name": "p", "scripts": { "build": "node scripts/build.mjs", "lint": "eslint .", "test": "vitest run", "release": "npm publish", "all": "npm run lint && npm run release" } }
E
mkdir -p scripts && echo 'console.log(1)' > scripts/build.mjs && git add -A && git -c user.name=a -c user.email=a@b commit -qm first && echo 2 > src/a.ts`

function judgeFamily(one: Case, ground: Ground, isFirst: boolean): Result {
  const { setup, expected } = one
  const at = (text: string): string =>
    text.replaceAll('$WS', ground.workspace).replaceAll('$OUT', ground.outside).replaceAll('$HOME', ground.home)
  try {
    if (isFirst) ground.shell(`${PROJECT}\n${String(setup.fs ?? '')}`)
    const kept = accessTo(setup.kept, ground, at)
    const offer = decideOn(ground, kept, 'safe').offers.find(({ matches }) =>
      matches.some(({ kind }) => kind === 'family' || kind === 'files'),
    )
    if (!offer) return verdict(one, expected.decision === 'no offer', 'no such rule is offered')
    if (expected.decision === 'no offer') return failed(one, `offers: ${offer.sentence}`)
    const rules = offer.matches.map(
      (match, index): Rule => ({
        id: String(index),
        scope: offer.scope,
        subject: ground.workspace,
        verdict: 'allow',
        action: kept.action,
        match,
        sentence: offer.sentence,
        createdAt: 0,
        expiresAt: null,
        lastUsedAt: null,
        useCount: 0,
      }),
    )
    if (setup.then !== undefined) ground.shell(String(setup.then))
    const decision = decideOn(ground, accessTo(one.input, ground, at), 'safe', [], undefined, rules)
    return verdict(one, isWanted(expected.decision ?? '', decision), `${decision.verdict}: ${decision.reason}`)
  } catch (error) {
    return failed(one, `its setup failed: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`)
  }
}

function accessTo(what: unknown, { workspace }: Ground, at: (text: string) => string): Access {
  const place = { node: 'local', cwd: workspace, workspace }
  if (typeof what === 'string') return { ...place, action: 'exec', command: at(what) }
  const { path, access = 'write' } = what as { path: string; access?: PathAccess['access'] }
  return { ...place, action: access === 'read' ? 'read' : 'write', paths: [{ path: at(path), access }] }
}

const isWanted = (wanted: string, { verdict: said, typedWord }: Decision): boolean =>
  wanted === 'allow'
    ? said === 'allow'
    : wanted === 'word'
      ? said === 'ask' && typedWord !== undefined
      : said !== 'allow'

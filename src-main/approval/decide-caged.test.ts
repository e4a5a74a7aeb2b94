import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Rule } from '../../src-preload/contract/approval'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import { decide } from './decide'
import { createFixture, type Fixture } from './fixture'
import { addTraps } from './programs/cases'
import type { Decision } from './types'

let fixture: Fixture
beforeAll(() => {
  fixture = createFixture()
  addTraps(fixture)
  fixture.write('node_modules/.bin/tsc')
  execFileSync('git', ['init', '-q', '.'], { cwd: fixture.workspace })
})
afterAll(() => fixture.remove())

const lines = (text: string): string[] => text.trim().split('\n')
const judge = (command: string, mode: ApprovalMode, rules: readonly Rule[] = []): Decision => {
  const { workspace, files, policy } = fixture
  const access = { action: 'exec', node: 'local', cwd: workspace, workspace, command, cageable: true } as const
  return decide(access, { ...policy(mode, rules), cage: true }, files)
}
const place = (command: string, mode: ApprovalMode): string => {
  const { verdict, cage } = judge(command, mode)
  return verdict === 'allow' ? (cage?.kind ?? 'outside') : verdict
}

describe('with a cage, in the mode for safe reads', () => {
  test.each(
    lines(`
ls -la
cat a.txt | jq . | awk '{print $1}'
python3 -c 'print(1)'
node -e 'console.log(1)'
perl -ne 'print if /x/' a.txt
for f in *.txt; do wc -l "$f"; done
cat $(git ls-files)
find . -name '*.ts' -exec grep -l x {} +
some-unknown-program --flag
FOO=bar some-program
cat /etc/os-release
ls /usr/lib
git config --list
pip list
go version
cargo tree
echo "$HOME"
diff <(sort a.txt) <(sort b.txt)
`),
  )('runs where it can only read: %s', (command) => {
    expect(judge(command, 'safe')).toMatchObject({ verdict: 'allow', cage: { kind: 'read' }, readsOnly: true })
  })

  test.each(
    lines(`
touch new.txt
echo x > new.txt
git add -A
git commit -m x
npm test
npm install
make
curl https://example.com
sh check.sh
python3 tool.py
./check
sleep 301
git push
cat .env
cat ~/notes.txt
cat ../../outside/plain.txt
sudo ls
rm -rf src
kill 1234
docker ps
bash -c 'git reset --hard'
sh <<<'git clean -fd'
`),
  )('asks: %s', (command) => expect(place(command, 'safe')).toBe('ask'))

  test('what looks at the machine runs outside, if it is plain', () => {
    expect(place('ps aux', 'safe')).toBe('outside')
    expect(place('ps aux | grep node', 'safe')).toBe('outside')
    expect(place("ps aux | awk '{print $2}'", 'safe')).toBe('outside')
    expect(place('ps aux | awk \'{print $2 > "x"}\'', 'safe')).toBe('ask')
  })

  test('nothing is put into the cage where everything is asked about or allowed', () => {
    expect(place('ls', 'ask')).toBe('ask')
    expect(place('ls', 'all')).toBe('outside')
    expect(place('ls', 'read-only')).toBe('read')
    expect(place('touch new.txt', 'read-only')).toBe('deny')
  })
})

describe('with a cage, in the mode for changes in the workspace', () => {
  test.each(
    lines(`
touch new.txt
echo x > new.txt
sed -i s/a/b/ a.txt
npm test
npm run build
npx tsc --noEmit
make -j4
cargo test
pytest -q
git add -A
git commit -m 'rm -rf is a command'
git switch -c x
git stash
git stash pop
bash scripts/build.sh
`),
  )('runs where it can change only the workspace: %s', (command) => expect(place(command, 'workspace')).toBe('write'))

  test('what only reads runs where it can only read', () => expect(place('cat a.txt', 'workspace')).toBe('read'))

  test.each(
    lines(`
git reset --hard
git clean -fdx
git stash clear
git stash drop
git branch -D main
git checkout -- .
git checkout .
git restore src
git worktree remove --force .
env git reset --hard
bash -c 'git reset --hard'
bash <<EOF\\ngit reset --hard\\nEOF
echo 'git reset --hard' | sh
rm -rf src
find . -type f -delete
find . -name '*.ts' | xargs rm
npm install
curl https://example.com
git push
cat .env
`).map((line) => line.replaceAll('\\n', '\n')),
  )('asks: %s', (command) => expect(place(command, 'workspace')).toBe('ask'))
})

test('a rule about one part of a command does not let another part run outside that only the cage holds', () => {
  const rule: Rule = {
    ...{ id: 'r', scope: 'everywhere', subject: null, verdict: 'allow', action: 'exec', sentence: 'Allow npm test' },
    ...{ match: { kind: 'argv', argv: ['npm', 'test'] }, createdAt: 0, expiresAt: null, lastUsedAt: null, useCount: 0 },
  } as unknown as Rule
  expect(judge('npm test', 'safe', [rule])).toMatchObject({ verdict: 'allow', ruleId: 'r' })
  expect(judge('npm test', 'safe', [rule]).cage).toBeUndefined()
  expect(judge('npm test | head', 'safe', [rule])).toMatchObject({ verdict: 'allow', ruleId: 'r' })
  expect(judge("npm test; python3 -c 'print(1)'", 'safe', [rule]).verdict).toBe('ask')
  const refusal: Rule = { ...rule, id: 'd', verdict: 'deny', match: { ...rule.match, argv: ['ls'] } } as unknown as Rule
  expect(judge('ls', 'safe', [refusal]).verdict).toBe('deny')
})

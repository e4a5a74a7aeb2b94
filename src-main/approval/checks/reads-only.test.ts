import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFixture, type Fixture } from '../fixture'
import { addTraps, expectAsking, expectReading } from '../programs/cases'
import { placesOf } from '../rules/places'
import { planShell } from '../shell/walk'
import { walkEnvironment } from './danger'
import { readingDoubt } from './reads-only'

let fixture: Fixture
beforeAll(() => {
  fixture = createFixture()
  addTraps(fixture)
})
afterAll(() => fixture.remove())

const EVERYDAY = `
ls -la | head
ls 2>/dev/null
ls 2>&1 | head -5
ls > /dev/null 2>&1
ls &> /dev/null
ls; pwd
ls && pwd
ls || true
cat a.txt b.txt | head -20
cat < a.txt
cat my\\ file.txt
wc -lw < a.txt
grep -E 'a|b' a.txt | wc -l
grep -v '^#' a.txt
rg -n 'foo|bar' src
cd src && rg foo
find . -name '*.ts' | wc -l
find . \\( -name a -o -name b \\) -print
sort -u a.txt | uniq -c
sort -rn a.txt | head -3
tr a-z A-Z < a.txt
tr -d '\\n' < a.txt
echo 'a > b; c && d'
echo -e "a\\tb"
echo $?
printf '%s\\n' hi
printf "hello\\n"
printf '%5.2f\\n' 3.14159
jq -r '.scripts | keys[]' package.json
jq '.dependencies | to_entries | map(.key)' package.json
jq -r '.[] | select(.a == "b") | {name, value: .v}' package.json
cat package.json | jq .version
sed -n '10,20p;21q' a.txt
sed '$d' a.txt
awk '{print $1}' a.txt
awk -F, '{print $2}' a.csv
awk 'NR>1 {print $1, $3}' a.txt
awk '/foo/ {print $2}' a.txt
awk '{s+=$1} END {print s}' a.txt
test -f a.txt && cat a.txt
[ -f a.txt ] && echo yes
[ -d src ] || echo no
if [ -f a.txt ]; then cat a.txt; else echo none; fi
for f in a.txt b.txt; do echo "$f"; done
for f in a.txt b.txt; do wc -l $f; done
for f in a.txt b.txt; do cat "$f" | head -2; done
cd src && ls
cd src && cat app.ts
cd src && cat ../a.txt
cd src; ls
cd ./src && pwd
false || echo x
ps aux | grep node
NO_COLOR=1 ls
LC_ALL=C sort a.txt
TZ=UTC date
git status && ls
git diff HEAD~1
xxd a.txt | head
hexdump -C a.txt | head -2
ls -la # list
ls -la src \\
  dist
! grep -q foo a.txt
/bin/ls -la
/usr/bin/cat a.txt
set -e; ls
cat <<< 'hello'
`
  .trim()
  .split(/\n(?! )/)
  .concat(["cat <<'EOF'\n$(not run)\nEOF", 'cat <<EOF\nplain\nEOF', 'ls\npwd\n', 'ls -la\n\n# a comment\npwd'])

test.each(EVERYDAY)('runs unasked: %s', (command) => expectReading(fixture, command))

const ASKED = `
ls; touch X
ls && touch X
ls | tee X
ls & touch X
ls |& cat
ls > X
ls >> X
ls >| X
ls &> X
ls 3> X
ls {fd}> X
cat <> X
cat a.txt > /dev/tcp/127.0.0.1/9
cat < /dev/tcp/127.0.0.1/9
cat < /etc/hostname
cat < <(ls)
cat <(ls)
ls $(touch X)
ls "$(touch X)"
ls \`touch X\`
ls \${x:-$(touch X)}
ls $((1+1))
ls $[1]
ls $x
ls "$HOME"
ls ~
ls ~/x
ls ~root
ls ~+
ls {a,b}
ls {1..3}
ls !(a)
ls @(a|b)
ls !!
ls !$
$'ls'
$"ls"
l\\x73
find . \\x2ddelete
(ls)
{ ls; }
while true; do ls; done
until false; do ls; done
case x in x) ls;; esac
[[ -f a.txt ]]
(( 1 ))
f() { ls; }; f
function f { ls; }
coproc ls
X=1
X=1 ls
PATH=. ls
LD_PRELOAD=./x.so ls
LC_ALL=../../x ls
unset PATH
declare x=1
printenv
ls | xargs cat
time touch X
./ls
../ls
/tmp/ls
lsevil
src/ls
cd dlink && ls
cd src && cat ../../x
cd src/.. && cat ../x
cd nowhere; cat ../x
cd src | cat ../x
cd src || cat ../x
cd evil && git status
git -c alias.x=!ls x
cd bare && git status
find . -exec touch X \\;
find . -execdir ls \\;
find . -ok ls \\;
find . -ex''ec touch X \\;
cd flags && sort *
sed -n '1!e touch X' a.txt
sed 's,a,b,;w X' a.txt
sed '1a\\' a.txt
sed -s -n '$w X' a.txt
sed '{w X' a.txt
sed -n '/a/{e touch X' a.txt
sed 'y/a/b/;w X' a.txt
sed -E 's/x/y/m;W X' a.txt
awk 'BEGIN{system("touch X")}'
awk '{print > "X"}' a.txt
awk '{print >> "X"}' a.txt
awk '{print | "sh"}' a.txt
awk 'BEGIN{while(("ls"|getline x)>0) print x}'
awk '{getline; print}' a.txt
awk 'BEGIN{print ENVIRON["HOME"]}'
awk '{print $1}' /etc/passwd
awk 'BEGIN{ARGV[1]="/etc/passwd"; ARGC=2} {print}'
awk 'length /"/; system("touch x"); "/' a.txt
awk '{a=1 /"/; system("touch X"); "/}' a.txt
awk '{print close("x")}' a.txt
awk '{f="sys" "tem"; @f("x")}' a.txt
jq -n '$ENV'
jq -n '$ENV.PATH'
jq -n '{a: env}'
jq -n '{(env|keys[0]): 1}'
jq -n '"\\(env)"'
jq 'import "x" as x; .' a.txt
jq 'include "x"; .' a.txt
jq -n '..|env'
jq 'getpath(["a"])|env' a.txt
test -v 'a[$(touch X)]'
[ -v 'a[$(touch X)]' ]
test 'a[$(touch X)]' -eq 1
[ 1 -eq 'x[$(touch X)]' ]
printf -v 'a[$(touch X)]' x
printf %d 'a[$(touch X)]'
read x
mapfile x
let x=1
seq 1
cat -
ls \\
echo $(
ls ;; ls
ls && 
if ls; then
for f in *.txt; do cat $f; done
for f in a b; do rm $f; done
for f in $(ls); do cat $f; done
for f in a.txt; do cd src; done
for PATH in evil; do ls; done
for f in .env; do cat $f; done
for f in 'a.txt /etc/passwd'; do cat $f; done
for f in '*'; do cat $f; done
cd keys2 && rg x
for f in -o; do sort $f X a.txt; done
echo a\\
echo 'a\\' ; ls
cat <<< $(ls)
`
  .trim()
  .split('\n')
  .filter((line) => !/^(?:seq 1|cat -|time touch X$)$/.test(line))
  .concat([
    '',
    'ls\ttouch\u000bX',
    'ls\r\ntouch X',
    'ls\r',
    'l\u200bs',
    'ls \u202e# txt',
    'ls \u00a0X',
    'ls\u2003-la',
    'ls \u{e0041}',
    'ls \u001b[2K',
    '\u0441at a.txt',
    'ls \ufeff',
    '\ufeffls',
    'cat <<EOF\n$(touch X)\nEOF',
    'cat <<EOF\n`touch X`\nEOF',
    'cat <<-EOF\n\t$(touch X)\n\tEOF',
    'cat <<EOF\n$[a[$(touch X)]]\nEOF',
    "cat <<'EOF' > X\nhi\nEOF",
    "cat <<'EOF'\nhi",
    "cat <<'A' <<B\nx\nA\n$(touch X)\nB",
    'ls # a\ntouch X',
    'ls # a \\\ntouch X',
    'ls $\\\n(touch X)',
    'ls "$\\\n(touch X)"',
    'ls [a{b,c}]',
    'ls .*',
    'cat ./.*',
    'ls -la; #\n touch X',
    'ls \\\n; touch X',
    'true\n'.repeat(60),
    `${'ls;'.repeat(60)}`,
    `echo ${'a'.repeat(9000)}`,
  ])

describe('asks', () => {
  test.each(ASKED)('%s', (command) => expectAsking(fixture, command))
})

test('refuses what is no command at all', () => {
  expect(fixture.command('').verdict).toBe('deny')
  expect(fixture.command('  \n').verdict).toBe('deny')
  expect(fixture.command('ls \0 -la').verdict).toBe('deny')
})

describe('the kind of a doubt says what would have to be let through', () => {
  test.each([
    ['ls', undefined],
    ['git commit', 'program'],
    ['timeout 5 git commit', 'carried'],
    ["sed 'w x' a.txt", 'script'],
    ['cat /etc/hostname', 'outside'],
    ['cat .env', 'secret'],
    ['git -C evil status', 'project'],
    ['sleep 999', 'lasting'],
    ['cat dangling', 'unclear'],
  ])('%s: %s', (command, kind) => {
    const access = { action: 'exec' as const, node: 'local', cwd: fixture.workspace, workspace: fixture.workspace }
    const places = placesOf(access, fixture.policy('safe'), fixture.files)
    const [invocation] = planShell(command, walkEnvironment(places, fixture.workspace)).invocations
    const found = readingDoubt(invocation?.fields ?? [], { places, cwds: [fixture.workspace], reads: [], outside: [] })
    expect(found?.kind).toBe(kind)
  })
})

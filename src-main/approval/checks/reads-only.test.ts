import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFixture, type Fixture } from '../fixture'

let fixture: Fixture
beforeAll(() => {
  fixture = createFixture()
  fixture.write('.env', 'KEY=1\n')
  fixture.write('evil/.git/config', '[core]\n\tfsmonitor = "touch PWNED;:"\n')
  fixture.write('evil/.git/HEAD', 'ref: refs/heads/main\n')
  fixture.write('bare/HEAD', 'ref: refs/heads/main\n')
  fixture.write('bare/objects/x')
  fixture.write('keys2/server.pem', '')
  fixture.write('flags/-o', '')
  fixture.write('flags/z.txt', '')
  fixture.link('/etc/hostname', 'link.txt')
  fixture.link(fixture.outside, 'dlink')
  fixture.link('/nowhere/at-all', 'dangling')
  fixture.link('a.txt', 'inside-link')
  execFileSync('mkfifo', ['pipe'], { cwd: fixture.workspace })
})
afterAll(() => fixture.remove())

const EVERYDAY = `
ls
ls -la
ls -la src
ls -lah --color=always
ls "my file.txt"
ls 'src'
ls ./*.csv
ls *.md
ls src/*.ts
ls -la | head
ls 2>/dev/null
ls 2>&1 | head -5
ls > /dev/null 2>&1
ls &> /dev/null
ls; pwd
ls && pwd
ls || true
cat a.txt
cat -n a.txt
cat a.txt b.txt | head -20
cat ./a.txt
cat < a.txt
cat "my file.txt"
cat my\\ file.txt
cat inside-link
cat *.csv
head -n 5 a.txt
head -5 a.txt
head -c 100 a.txt
tail -n 20 a.txt
tail -20 a.txt
tail -n +5 a.txt
wc -l a.txt
wc -l src/*.ts
wc -lw < a.txt
grep foo a.txt
grep -n foo a.txt
grep -rn foo src
grep -rn "foo" src --include=*.ts
grep -E 'a|b' a.txt | wc -l
grep -i -A 3 -B3 foo a.txt
grep -c foo a.txt
grep -v '^#' a.txt
grep -- -v a.txt
rg -n 'foo|bar' src
cd src && rg foo
rg -l TODO src
rg -tts -C2 foo src
rg --files src
rg -g '*.ts' foo src
find . -name '*.ts'
find . -type f -name "*.ts" -not -path './node_modules/*'
find src -maxdepth 2 -type d
find . -name '*.ts' | wc -l
find . -type f -size +1M -print
find . \\( -name a -o -name b \\) -print
sort a.txt
sort -u a.txt | uniq -c
sort -k2,2n -t, a.csv
sort -rn a.txt | head -3
uniq a.txt
cut -d, -f1 a.csv
cut -d ',' -f 1,2 a.csv
tr a-z A-Z < a.txt
tr -d '\\n' < a.txt
diff a.txt b.txt
diff -u a.txt b.txt
cmp a.txt b.txt
file a.txt
stat a.txt
stat -c %s a.txt
du -sh src
du -sh .
du -h --max-depth=1
df -h
df -h .
pwd
echo hi
echo "done"
echo 'a > b; c && d'
echo -n hi
echo -e "a\\tb"
echo $?
printf '%s\\n' hi
printf "hello\\n"
printf '%5.2f\\n' 3.14159
date
date +%F
date "+%Y-%m-%d %H:%M"
date -u
whoami
id
id -u
uname -a
which node
which -a node npm
type ls
command -v node
basename a/b.txt
basename a/b.txt .txt
dirname src/app.ts
realpath a.txt
readlink inside-link
tree
tree -L 2 src
tree -a -I node_modules
jq . package.json
jq '.name' package.json
jq -r '.scripts | keys[]' package.json
jq '.dependencies | to_entries | map(.key)' package.json
jq -r '.[] | select(.a == "b") | {name, value: .v}' package.json
jq '.env' package.json
cat package.json | jq .version
sed -n '1,20p' a.txt
sed -n 5p a.txt
sed -n '/foo/p' a.txt
sed -n '/start/,/end/p' a.txt
sed -n '10,20p;21q' a.txt
sed 's/foo/bar/' a.txt
sed -e 's/a/b/g' -e 's/c/d/' a.txt
sed '$d' a.txt
awk '{print $1}' a.txt
awk -F, '{print $2}' a.csv
awk 'NR>1 {print $1, $3}' a.txt
awk '/foo/ {print $2}' a.txt
awk '{s+=$1} END {print s}' a.txt
awk 'NR==5' a.txt
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
true
false || echo x
seq 1 5
sleep 1
hostname
nproc
uptime
free -h
ps aux
ps -ef
ps aux | grep node
ps -eo pid,ppid,cmd
NO_COLOR=1 ls
LC_ALL=C sort a.txt
TZ=UTC date
git status
git status --short
git status -sb
git status && ls
git log --oneline -5
git log -n 5
git log --oneline --graph --all
git log -p -1
git log --format='%h %s' -3
git log --since=yesterday --author=me
git diff
git diff --stat
git diff HEAD~1
git diff main...feature
git diff --cached
git diff -- src/app.ts
git show HEAD --stat
git show HEAD:src/app.ts
git rev-parse HEAD
git rev-parse --abbrev-ref HEAD
git branch
git branch -a
git branch --show-current
git branch --list 'f*'
git tag
git tag -l
git remote -v
git ls-files
git blame src/app.ts
git stash list
git describe --tags
git --no-pager log -3
git --version
node --version
node -v
npm -v
npm ls
npm ls --depth=0
python3 --version
md5sum a.txt
sha256sum a.txt
xxd a.txt | head
xxd -l 16 a.txt
hexdump -C a.txt | head -2
od -c a.txt
strings a.txt
base64 a.txt
nl a.txt
tac a.txt
column -t -s, a.csv
comm -12 a.txt b.txt
paste a.txt b.txt
ls -la # list
ls -la src \\
  dist
timeout 5 ls
time ls
! grep -q foo a.txt
/bin/ls -la
/usr/bin/cat a.txt
set -e; ls
ls --help
grep --version
cat <<< 'hello'
`
  .trim()
  .split(/\n(?! )/)
  .concat(["cat <<'EOF'\n$(not run)\nEOF", 'cat <<EOF\nplain\nEOF', 'ls\npwd\n', 'ls -la\n\n# a comment\npwd'])

test.each(EVERYDAY)('runs unasked: %s', (command) => {
  const { verdict, reason } = fixture.command(command)
  expect({ verdict, reason }).toMatchObject({ verdict: 'allow' })
})

const ASKED = `
ls; touch X
xxd a.txt -e
xxd src/* -e
uniq a.txt -c
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
ls ^a^b
ls =ls
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
export PATH=.
alias ls='touch X'
unset PATH
declare x=1
eval ls
exec ls
source a.txt
. a.txt
builtin ls
command ls
env
env ls
printenv
nohup ls
nice ls
xargs ls
ls | xargs cat
time touch X
./ls
../ls
/tmp/ls
lsevil
src/ls
cat /etc/passwd
cat ../x
cat ../../outside/plain.txt
cat link.txt
cat dlink/plain.txt
cat dlink/../x
cat dangling
cat pipe
cat .env
cat ./.env
cat src/../.env
cat .e*
cat .en?
grep . .env
grep -r foo .
grep -r foo
grep -rn foo . --include=*.ts
rg --hidden foo
rg -uu foo
rg --no-ignore foo
grep -f /etc/shadow a.txt
grep -f .env a.txt
grep -R foo src
cat /proc/self/environ
cat /proc/1/environ
cat /dev/tty
cat /dev/sda
cat server.pem
cat keys/id_rsa
head .npmrc
ls /
ls /etc
ls ..
cd ..
cd /
cd
cd -
cd dlink
cd dlink && ls
cd src && cat ../../x
cd src/.. && cat ../x
cd nowhere; cat ../x
cd src | cat ../x
cd src || cat ../x
cd evil && git status
git -C evil status
git -C .. status
git --git-dir=evil/.git status
git -c core.pager=x log
git -c alias.x=!ls x
git -p log
git --paginate log
git --exec-path=. log
cd bare && git status
git log --output=X
git diff --output=X
git log --output X
git diff --ext-diff
git diff --textconv
git log --show-signature
git log --format=%G?
git diff --no-index a.txt /etc/passwd
git diff /etc/passwd /etc/group
git diff --no-index a.txt b.txt
git branch new
git branch -D x
git branch -d x
git branch --list --no-list -D x
git branch -m a b
git branch --edit-description
git tag v1
git tag -d v1
git checkout -- .
git stash
git remote add x y
git remote show origin
git remote update
git fetch
git ls-remote
git archive HEAD
git config x y
git config --list
git submodule foreach ls
git show HEAD:.env
git grep foo
git grep -O foo
git reflog expire
git rev-parse --parseopt
git blame --contents /etc/passwd a.txt
git log --no-such
git logs
git shortlog -s /etc/passwd
find . -exec touch X \\;
find . -execdir ls \\;
find . -ok ls \\;
find . -delete
find . -fprint X
find . -fprintf X x
find . -fls X
find . -fprint0 X
find -L .
find . -follow
find / -name x
find .. -name x
find . -newer /etc/passwd
find -files0-from a.txt
find . -ex''ec touch X \\;
sort -o X a.txt
sort -oX a.txt
sort -uoX a.txt
sort --output=X a.txt
sort --outp=X a.txt
sort --compress-program=./x a.txt
sort --compress-prog=./x a.txt
sort -T /tmp a.txt
sort --files0-from=a.txt
cd flags && sort *
uniq a.txt X
uniq -c a.txt X
sed -i s/a/b/ a.txt
sed --in-place s/a/b/ a.txt
sed -ni p a.txt
sed -n 'w X' a.txt
sed -n '1w X' a.txt
sed 's/a/b/w X' a.txt
sed 's/a/b/e' a.txt
sed 's/a/b/ge' a.txt
sed '1e touch X' a.txt
sed -n '1!e touch X' a.txt
sed e a.txt
sed -f a.txt b.txt
sed '1r /etc/passwd' a.txt
sed 'R /etc/passwd' a.txt
sed -e p -e 'w X' a.txt
sed 's,a,b,;w X' a.txt
sed 's/[/]/x/w X' a.txt
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
awk -f a.txt
awk -v x=1 -f a.txt
awk '@load "x"' a.txt
awk '{print $1}' /etc/passwd
awk 'BEGIN{ARGV[1]="/etc/passwd"; ARGC=2} {print}'
awk 'length /"/; system("touch x"); "/' a.txt
awk '{a=1 /"/; system("touch X"); "/}' a.txt
awk '{print close("x")}' a.txt
awk '{f="sys" "tem"; @f("x")}' a.txt
jq -n env
jq -n 'env.HOME'
jq -n '$ENV'
jq -n '$ENV.PATH'
jq -n '[1,env,2]'
jq -n '{a: env}'
jq -n '{(env|keys[0]): 1}'
jq -n '"\\(env)"'
jq -n 'input'
jq 'import "x" as x; .' a.txt
jq 'include "x"; .' a.txt
jq -f a.txt
jq --from-file a.txt .
jq -L . .
jq --slurpfile x /etc/passwd . a.txt
jq --rawfile x .env . a.txt
jq -n '..|env'
jq . /etc/passwd
jq 'getpath(["a"])|env' a.txt
jq -n 'get_search_list'
tail -f a.txt
tail -F a.txt
tail --follow a.txt
tail -n 5 -f a.txt
diff -r src dist
diff src dist
diff a.txt /etc/passwd
diff --to-file=a.txt b.txt
diff --from-file=a.txt b.txt
diff -X .env a.txt b.txt
date -s 2020-01-01
date --set=2020-01-01
date 010100002020
date -f .env
file -C -m magic
file -m magic a.txt
file -f a.txt
file -z a.txt
tree -o X
tree -Lo 2 X
tree -R
tree -l
tree --fromfile a.txt
tree /
base64 a.txt -o X
base64 -i a.txt
xxd a.txt X
xxd -r a.txt
xxd -r a.txt X
hostname evil
hostname -F a.txt
test -v 'a[$(touch X)]'
[ -v 'a[$(touch X)]' ]
[ -R x ]
test 'a[$(touch X)]' -eq 1
[ 1 -eq 'x[$(touch X)]' ]
printf -v 'a[$(touch X)]' x
printf '%n' PATH
printf 'aaaaa%n' PATH
printf %d 'a[$(touch X)]'
printf '%(%s)T'
printf '%*n' 1 PATH
read x
mapfile x
let x=1
ps auxe
ps e
ps -E
ps -o environ
ps -eo pid,environ
seq 1
sleep 9999
sleep infinity
sleep 1h
rg --pre ./x foo
rg --pre=./x foo
rg --hostname-bin ./x foo
rg -z foo
rg -L foo
rg --follow foo
rg --ignore-file .env foo
rg foo /etc
rg -f /etc/shadow .
wc --files0-from=a.txt
du -L .
du --files0-from=a.txt
du /
ls -L dlink
ls dlink
stat /etc/passwd
cat -- .env
cat -
less a.txt
more a.txt
man ls
vim a.txt
tee X
cp a.txt X
mv a.txt X
rm a.txt
mkdir x
touch x
chmod +x a.txt
ln -s / x
curl http://x
wget http://x
ssh host
nc host 1
ping host
python3 -c 'print(1)'
python3 a.py
node -e 1
node a.js
perl -e 1
ruby -e 1
bash -c ls
sh -c ls
sh a.sh
npm test
npm run build
npm install
npm ls --prefix evil
npm ls --script-shell=x
npm --version --prefix x
npx tsc
make
cargo build
docker ps
kill 1
tar cf x.tar a.txt
timeout 5 touch X
timeout 5 sh
timeout -s KILL 5 sh -c ls
set -o allexport
set -a
ls "
ls '
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
echo /etc/*
echo /home/*/.ssh
basename -a /etc/*
true /etc/*
[ -f /etc/* ]
cd keys2 && rg x
rg x keys2
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
  test.each(ASKED)('%s', (command) => {
    const { verdict, reason } = fixture.command(command)
    expect({ verdict, reason }).not.toMatchObject({ verdict: 'allow' })
  })
})

test('refuses what is no command at all', () => {
  expect(fixture.command('').verdict).toBe('deny')
  expect(fixture.command('  \n').verdict).toBe('deny')
  expect(fixture.command('ls \0 -la').verdict).toBe('deny')
})

/** Numbers that look random and are the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const words = (text: string): string[] => text.trim().split(/\s+/)

const READERS = words(
  `ls cat head tail wc grep rg find sort uniq cut tr nl tac rev stat file du diff cmp comm paste column fold sed awk jq
  echo printf test true pwd cd basename dirname realpath readlink date seq base64 md5sum sha256sum xxd od strings git type env
  command which tree expand join shuf split csplit tee xargs timeout`,
)
/** git reads in many ways, each with options that do more. */
const GIT = words(
  `status log diff show branch tag blame grep stash config remote rev-parse rev-list ls-files ls-tree cat-file describe shortlog
  reflog for-each-ref worktree check-ignore count-objects merge-base name-rev show-ref archive fetch checkout submodule notes
  difftool bisect commit add gc apply`,
)
const GIT_WORDS = words(
  `list show -l -v -a -n -p -1 -5 --stat --oneline --all --graph --cached --name-only --get user.name core.pager HEAD HEAD~1 HEAD:a.txt stash@{0} master
  foo a.txt src -- --output=W42 --ext-diff --textconv --no-index --show-signature --format=%G? --format=%H -O -Ocat --open-files-in-pager=./tool
  --upload-pack=./tool --exec=./tool --contents=a.txt -S -L1,1:a.txt --edit -D -d new -m -f --list --no-list --contains -o W43 --orderfile=a.txt -C
  --porcelain --untracked-files=all --ignored --recurse-submodules --submodule=diff --word-diff --follow -G x --patch --raw --date=iso`,
)
const GIT_BEFORE = [
  '',
  '',
  '',
  '--no-pager ',
  '-C src ',
  '-C evil ',
  '-C .. ',
  '-p ',
  '-c core.pager=./tool ',
  '-c core.fsmonitor=./tool ',
  '--git-dir=evil/.git ',
  '--exec-path=. ',
]
const WRITERS = words(
  'touch rm mv cp mkdir rmdir ln chmod tee dd truncate install bash sh python3 perl node make npm curl',
)
const FLAGS = words(
  `-l -a -n -r -R -v -i -c -o -e -f -d -x -p -s -u -w -k -t -z -0 -1 -A -B -E -F -H -L -P -S -la -rn --color=always --help --version
  --output=W1 -oW2 --files0-from=a.txt --compress-program=sh -exec -delete -fprint --in-place -i.bak --reference=a.txt --pre=sh -name -type -maxdepth
  --field-separator=, --sort=size -g -nE`,
)
const OPERANDS = words(
  `a.txt b.txt src/a.ts src sub . .. ./a.txt src/../a.txt missing link dlink dlink/secret.txt /etc/hostname $OUT/secret.txt ~ ~/x
  *.txt src/* *.nothing -- - 1 2 10 foo W3 'a.txt' "b.txt" 'with space' s/x/y/ s/x/y/w\\ W4 '{print}' '{print>"W5"}' 'BEGIN{system("touch W6")}' '1p'
  '1w W7' .key '%s' '+%Y' 'HEAD' status log diff branch 'core.pager=touch W8' --textconv`,
)
const GLUE = [' && ', ' || ', '; ', ' | ', ' & ', '\n', ' |& ']
const REDIRECTS = [
  '> W9',
  '>> a.txt',
  '2>&1',
  '>/dev/null',
  '2>/dev/null',
  '< a.txt',
  '&> W10',
  '>| W11',
  '<> W12',
  '> "W13"',
  '>$X',
  "<<< 'x'",
  '1>W14',
]
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: shells write it this way too
const EMBEDDED = [
  '$(touch W15)',
  '`touch W16`',
  '"$(touch W17)"',
  '<(touch W18)',
  '${X:-$(touch W19)}',
  '$((1+1))',
  '$HOME',
  '{a,b}.txt',
  "$'\\x57'20",
  '$(cat a.txt)',
  '>(tee W21)',
]
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
const WRAPPERS = [
  'env ',
  'timeout 1 ',
  'command ',
  'X=1 ',
  'LC_ALL=C ',
  'nice ',
  '! ',
  'time ',
  'exec ',
  'eval ',
  'builtin ',
  '\\',
  'PAGER=./tool ',
  "GIT_PAGER='touch W44' ",
  'GIT_EXTERNAL_DIFF=./tool ',
  'GIT_TRACE=$PWD/W45 ',
  'GIT_DIR=evil/.git ',
  'PATH=. ',
  'HOME=. ',
  'TMPDIR=. ',
  'TZ=UTC ',
  'IFS=a ',
  'cd src && ',
  'cd evil && ',
  'cd sub || ',
  'cd dlink; ',
  'pushd src; ',
  'time -o W46 ',
  'env -S ',
  'xargs ',
  'exec > W47; ',
  'set -- W48; ',
  'for f in a.txt b.txt; do ',
]
const WHOLE = [
  "cat <<'EOF'\n$(touch W22)\nEOF",
  'cat <<EOF\n$(touch W23)\nEOF',
  'f() { touch W24; }; f',
  'if true; then touch W25; fi',
  'for f in *.txt; do cat $f > W26; done',
  '(touch W27)',
  '{ touch W28; }',
  'case x in x) touch W29;; esac',
  "trap 'touch W30' EXIT; ls",
  'alias ls="touch W31"\nls',
  "printf -v 'a[$(touch W32)]' x",
  "test -v 'a[$(touch W33)]'",
  'git -c core.pager="touch W34" log',
  'git diff --output=W35',
  'sort -o W36 a.txt',
  'find . -name a.txt -fprint W37',
  'sed -n "w W38" a.txt',
  'awk \'BEGIN{print > "W39"}\'',
  'xargs touch W40 < a.txt',
  'rg --pre "touch W41" x',
  'sort --compress-program=./tool -S 1b a.txt',
  "split --filter='touch W49' a.txt",
  'sed -n "s/x/y/w W50" a.txt',
  "sed '1!e touch W51' a.txt",
  'awk \'BEGIN{"touch W52" | getline}\'',
  'gawk -i inplace 1 a.txt',
  'find . -maxdepth 0 -printf x -fprintf W53 y',
  'git grep -O./tool foo',
  'git stash show -p --output=W54',
  'git config --file W55 a.b c',
  'git -C evil status',
  'cd evil && git status',
  'xxd a.txt W56',
  'tree -o W57',
  "jq -n 'input' a.txt > W58",
  'ls \\\n> W59',
  'f() { touch W60; }; g() { f; }; g',
  'cat a.txt | (touch W61)',
  'ls $(:>W62)',
  'exec 3<>W63',
  'printf x >&W64',
  '[ -f a.txt ] && touch W65',
  'if [ -f a.txt ]; then cat a.txt; else touch W66; fi',
  'date -s 2020-01-01',
  'uniq a.txt W67',
  'tee W68 < a.txt',
]

/** Commands as a model might write them, and as somebody who wants to get past the gate would. */
export function createGrammar(seed: number): () => string {
  const random = createRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const chance = (part: number): boolean => random() < part

  const disguised = (word: string): string => {
    if (!chance(0.04) || word.length < 2) return word
    const middle = 1 + Math.floor(random() * (word.length - 1))
    return pick([
      `${word.slice(0, middle)}''${word.slice(middle)}`,
      `${word.slice(0, middle)}\\${word.slice(middle)}`,
      `"${word}"`,
      `'${word}'`,
    ])
  }
  const git = (): string => {
    const parts = [`git ${pick(GIT_BEFORE)}${pick(GIT)}`]
    for (let count = Math.floor(random() * 4); count > 0; count--) parts.push(pick(GIT_WORDS))
    return parts.join(' ')
  }
  const simple = (): string => {
    if (chance(0.15)) return (chance(0.06) ? pick(WRAPPERS) : '') + git()
    const program = chance(0.9) ? pick(READERS) : pick(WRITERS)
    const parts = [disguised(program)]
    for (let count = Math.floor(random() * 3); count > 0; count--)
      parts.push(chance(0.5) ? pick(FLAGS) : pick(OPERANDS))
    if (chance(0.6)) parts.push(pick(OPERANDS))
    if (chance(0.06)) parts.splice(1 + Math.floor(random() * parts.length), 0, pick(EMBEDDED))
    const wrapper = chance(0.06) ? pick(WRAPPERS) : ''
    const redirect = chance(0.12) ? ` ${pick(REDIRECTS)}` : ''
    return `${wrapper}${parts.join(' ')}${redirect}`
  }
  return () => {
    if (chance(0.01)) return pick(WHOLE)
    let text = simple()
    while (chance(0.25)) text += pick(GLUE) + (chance(0.02) ? pick(WHOLE) : simple())
    return text
  }
}

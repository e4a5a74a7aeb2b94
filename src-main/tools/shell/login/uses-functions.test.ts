// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of shells
import { expect, test } from 'vitest'
import { usesFunctions } from './uses-functions'

const functions = new Set(['nvm', 'nvm_echo', 'pyenv'])

test.each([
  'true',
  'npm test 2>&1 | tail -3',
  'for f in *.ts; do node "$f" && echo "$f"; done',
  'cd src && FOO="$(git status --short)" make -j2 > out.txt',
  'echo "nvmrc" $HOME; ./nvm.sh; grep -rn "x" . | wc -l',
  'cat <<END\ntext\nEND',
])('%s uses none', (command) => expect(usesFunctions(command, functions)).toBe(false))

test.each([
  'nvm use 20',
  'echo a; (pyenv versions)',
  'echo "$(nvm current)"',
  'echo `echo x`',
  '$tool --version',
  '"nvm" use',
  'n\\vm use',
  '. ./script.sh',
  'source script.sh',
  'eval "$x"',
  'declare -f',
  'set',
  'type -a "$x"',
  'trap "$x" EXIT',
  'echo $(echo $($x))',
  'echo "${x:-$($y)}"',
  'x=$($y)',
  'cat <<END\n$($x)\nEND',
  '[[ $($x) = y ]] && echo',
  'echo $(( $($x) + 1 ))',
  'if; then',
  '<($x) true',
  'cat < <($x)',
  '{nvm,use}',
  'case $($x) in *) ;; esac',
  'a[$($x)]=1',
])('%s may use some', (command) => expect(usesFunctions(command, functions)).toBe(true))

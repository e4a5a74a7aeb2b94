// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of shells
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { learnLogin, type Snapshot } from './learn-login'
import { type Bench, openBench } from './test-bench'
import { bashSundries, condaLike, type LoginFiles, nvmLike, pyenvLike, zshSundries } from './test-login-files'
import { usesFunctions } from './uses-functions'

const patience = 60_000

/** What a command can find out about the shell that runs it. */
const common = [
  'echo "$0 $- $# [$_] [$?] $SHLVL ${PWD##*/}"',
  'echo "$PATH"; umask; { ulimit -Sa; ulimit -Ha; } | grep -v -e -x; trap',
  'env | grep -v "^\\(DECKHAND_PROCESS\\|_\\)=" | LC_ALL=C sort',
  'nosuchprogram; echo "$?"\nanother',
  'echo "$LINENO"; exit 9',
  'echo )',
  'if',
  'alias',
  'tty | sed "s/[0-9]*$//"; test "${GPG_TTY:-$(tty)}" = "$(tty)" && echo same',
]
const ofBash = [
  ...common,
  'set +o; shopt -p; shopt login_shell; alias -p; complete -p',
  'declare -p | grep -v -E "^declare -[a-zA-Z-]+ (_|BASH_EXECUTION_STRING|BASHPID|PPID|RANDOM|SRANDOM|SECONDS|EPOCH[A-Z]*|BASH_ARGV0|DECKHAND_PROCESS|BASH_CMDS|LINENO|BASH_COMMAND|HISTCMD|PIPESTATUS|BASH_MONOSECONDS)"',
  'declare -f; declare -F',
  'echo "$BASH_EXECUTION_STRING"; bash -c "type shared 2>&1; echo \\$SHLVL"',
]
const ofZsh = [
  ...common,
  'setopt; set +o; alias -L; alias -sL; hash -d',
  // It prints patterns as `(a | b)` at first, and as `(a|b)` after rereading them.
  'functions | sed "s/ | /|/g"',
  'typeset -p | grep -v -E "^(typeset|export)[^=]* (_|RANDOM|SECONDS|TTYIDLE|EPOCH[A-Z]*|PPID|ZSH_EXECUTION_STRING|DECKHAND_PROCESS|TTY|OLDPWD|GPG_TTY)="',
  'echo "$ZSH_EXECUTION_STRING [$ZDOTDIR]"',
]

const ofNvm = [
  'nvm current; node',
  'nvm use v22.0.0; node; nvm current',
  'nvm lazy',
  'nvm; echo $?',
  'nvm_part_7 x; type nvm_echo | sed "s/ from .*//"',
  'x=nvm; $x current',
  '(unset NVM_DIR; nvm_part_3 y); echo $?',
  'eval "nv""m current"',
]
const ofPyenv = ['python', 'pyenv shell 3.12; python', 'pyenv versions; echo $?', 'type pyenv | sed "s/ from .*//"']
const ofConda = ['conda info; echo $?', 'conda deactivate; echo "${CONDA_DEFAULT_ENV-none}"', 'echo "$PS1 $CONDA_EXE"']
const ofBashSundries = [
  'll -d /',
  'say',
  'echo "${colours[with space]}" "${numbers[@]}"',
  'FIXED=x; echo after',
  'count+=1; echo $count $also',
  'echo $nosuchvariable; echo after',
  'match a.c; match a.txt; echo !(*)',
  'text there',
  'cd /; false | true; echo $?',
  'exit 5',
  'echo "${TAKEN-gone} $KEPT"',
  'echo "$COLUMNS"',
]
const ofZshSundries = [
  'll -d /',
  'say',
  'echo quiet UP',
  'echo $colours[(e)with space] $numbers',
  'FIXED=x; echo after',
  'count+=1; echo $count',
  'greet you; text there; later now',
  'echo ^a*(N) ~proj',
  'exit 5',
  'echo "${TAKEN-gone} $KEPT"; false | true; echo $?',
  'echo $path',
]

interface Case {
  what: string
  files: LoginFiles
  probes: readonly string[]
}

const shells = [
  {
    shell: '/bin/bash',
    profile: '.bash_profile',
    cases: [
      { what: 'nothing', files: { profile: '' }, probes: ofBash },
      { what: 'nvm', files: nvmLike, probes: [...ofBash, ...ofNvm] },
      { what: 'pyenv', files: pyenvLike, probes: [...ofBash, ...ofPyenv] },
      { what: 'conda', files: condaLike, probes: [...ofBash, ...ofConda] },
      { what: 'all sorts of things', files: bashSundries, probes: [...ofBash, ...ofBashSundries] },
      {
        what: 'a file for other shells',
        files: { profile: 'export BASH_ENV="$HOME/other"' },
        probes: [...ofBash, 'echo "$BASH_ENV"'],
      },
      { what: 'the terminal', files: { profile: 'export GPG_TTY=$(tty)' }, probes: ofBash },
    ] satisfies Case[],
  },
  {
    shell: '/usr/bin/zsh',
    profile: '.zprofile',
    cases: [
      { what: 'nothing', files: { profile: '' }, probes: ofZsh },
      { what: 'nvm', files: nvmLike, probes: [...ofZsh, ...ofNvm.filter((probe) => !probe.includes('(unset'))] },
      { what: 'pyenv', files: pyenvLike, probes: [...ofZsh, ...ofPyenv] },
      { what: 'conda', files: condaLike, probes: [...ofZsh, ...ofConda] },
      { what: 'all sorts of things', files: zshSundries, probes: [...ofZsh, ...ofZshSundries] },
    ] satisfies Case[],
  },
]

let bench: Bench
afterEach(() => bench.close())

const learn = (patienceMs = patience) =>
  learnLogin(bench.env.SHELL, { node: bench.node, folder: bench.folder, patienceMs }, bench.env)

async function snapshot(): Promise<Snapshot> {
  const learnt = await learn()
  if ('problem' in learnt) throw new Error(learnt.problem)
  return learnt
}

for (const { shell, profile, cases } of shells) {
  describe.skipIf(!existsSync(shell))(`${shell}${existsSync(shell) ? '' : ' (not installed here)'}`, () => {
    beforeEach(() => {
      bench = openBench(shell, profile)
    })

    test.each(cases)(
      'a command sees the same from a snapshot as in a login shell: $what',
      async ({ files, probes }) => {
        bench.install(files)
        const { args, variables, slim } = await snapshot()
        for (const probe of probes) {
          const login = await bench.run({ argv: [shell, '-lc', probe], env: {} })
          expect({ probe, seen: await bench.run({ argv: [shell, ...args, probe], env: variables }) }).toEqual({
            probe,
            seen: login,
          })
          if (!slim || usesFunctions(probe, slim.functions)) continue
          expect({ probe, slim: await bench.run({ argv: [shell, ...args, probe], env: slim.variables }) }).toEqual({
            probe,
            slim: login,
          })
        }
      },
      4 * patience,
    )

    test.each([
      ['print something', 'echo welcome'],
      ['say something else each time', 'export MOMENT=$$'],
      ['write down the time', 'export MOMENT=$(date +%s)'],
      ['go to another folder', 'cd /usr'],
      ['depend on the folder', 'export HERE=$(pwd)'],
      ['start something', 'sleep 3 & export AGENT_PID=$!'],
      ['watch every command', 'watch() { :; }; trap watch DEBUG'],
      ['end the shell', 'exit 1'],
      ['end the shell without a word', 'exit 0'],
      ['become something else', 'exec true'],
    ])(
      'there is none of login files that %s',
      async (_what, text) => {
        bench.install({ profile: text })
        expect(await learn()).toEqual({ problem: expect.any(String) })
      },
      patience,
    )

    test(
      'there is none of login files that do not end',
      async () => {
        bench.install({ profile: 'read -r answer' })
        expect(await learn(1_000)).toEqual({ problem: 'a shell did not tell what it holds' })
      },
      patience,
    )

    test(
      'nobody else can read what is kept',
      async () => {
        bench.install({ profile: 'umask 0; export PASSWORD=sesame' })
        await snapshot()
        const modes = readdirSync(bench.folder, { recursive: true, encoding: 'utf8' }).map((name) => {
          const { mode } = statSync(join(bench.folder, name))
          return { name, open: mode & 0o077 }
        })
        expect(modes.length).toBeGreaterThan(3)
        expect(modes.filter(({ open }) => open !== 0)).toEqual([])
      },
      patience,
    )

    test(
      'files that the login files read are known',
      async () => {
        bench.install(nvmLike)
        const { paths } = await snapshot()
        expect(paths).toEqual(expect.arrayContaining([`${bench.home}/.nvm/nvm.sh`, `${bench.home}/.nvm/alias/default`]))
      },
      patience,
    )
  })
}

test('other shells are not asked', async () => {
  bench = openBench('/bin/sh', '.profile')
  mkdirSync(bench.folder)
  expect(await learn()).toEqual({ problem: '/bin/sh cannot be asked what it holds' })
})

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of shells
/** Typical login files of developers, for tests: each a text for the shell, and programs that it runs. */
export interface LoginFiles {
  profile: string
  /** Other files in the home folder, by path; those in `bin` are executable. */
  files?: Record<string, string>
}

/** Like nvm: hundreds of functions, and a lookup of the default version that runs programs. */
const nvmFunctions = Array.from(
  { length: 150 },
  (_, at) => `nvm_part_${at}() {
  local VERSION="\${1-}"
  case "\${VERSION}" in
    v[0-9]*) command printf '%s' "\${VERSION#v}" ;;
    *) if [ -n "\${NVM_DIR-}" ]; then nvm_echo "part ${at} of $NVM_DIR: \${VERSION:-none}"; else return 3; fi ;;
  esac
}`,
).join('\n')

export const nvmLike: LoginFiles = {
  profile: `export NVM_DIR="$HOME/.nvm"
[ -s "$NVM_DIR/nvm.sh" ] && \\. "$NVM_DIR/nvm.sh"
[ -s "$NVM_DIR/completion" ] && \\. "$NVM_DIR/completion"
`,
  files: {
    '.nvm/nvm.sh': `nvm_echo() { command printf '%s\\n' "$*" 2>/dev/null; }
${nvmFunctions}
nvm_default() { command cat "$NVM_DIR/alias/default"; }
nvm() {
  case "$1" in
    use) NVM_BIN="$NVM_DIR/versions/node/$2/bin"; export NVM_BIN; PATH="$NVM_BIN:$PATH"; export PATH; hash -r ;;
    current) nvm_echo "\${NVM_BIN##*node/}" ;;
    lazy) unset -f nvm_default; nvm_default() { echo replaced; }; nvm_default ;;
    *) nvm_echo "usage: nvm"; return 127 ;;
  esac
}
nvm use "$(nvm_default)" >/dev/null
`,
    '.nvm/completion': `_nvm() { COMPREPLY=($(compgen -W "use current" -- "$2")); }
if [ -n "\${BASH_VERSION-}" ]; then complete -o default -F _nvm nvm; fi
`,
    '.nvm/alias/default': 'v20.1.0\n',
    '.nvm/versions/node/v20.1.0/bin/node': '#!/bin/sh\necho node 20\n',
    '.nvm/versions/node/v22.0.0/bin/node': '#!/bin/sh\necho node 22\n',
  },
}

/** Like pyenv: a program that prints commands for the shell. */
export const pyenvLike: LoginFiles = {
  profile: `export PYENV_ROOT="$HOME/.pyenv"
export PATH="$PYENV_ROOT/bin:$PATH"
eval "$(pyenv init - )"
`,
  files: {
    '.pyenv/bin/pyenv': `#!/usr/bin/env bash
if [ "$1" = init ]; then
cat <<'EOF'
PATH="$(printf %s "$PYENV_ROOT/shims:$PATH")"
export PATH
export PYENV_SHELL=sh
pyenv() {
  local command=\${1:-}
  [ "$#" -gt 0 ] && shift
  case "$command" in
  shell) export PYENV_VERSION="$1" ;;
  *) command pyenv "$command" "$@" ;;
  esac
}
EOF
else echo "pyenv $*"; exit 7; fi
`,
    '.pyenv/shims/python': '#!/bin/sh\necho "python ${PYENV_VERSION:-system}"\n',
  },
}

/** Like conda: a hook, a prompt, and functions that run others. */
export const condaLike: LoginFiles = {
  profile: `__conda_setup="$("$HOME/conda/bin/conda" 'shell.posix' 'hook' 2> /dev/null)"
if [ $? -eq 0 ]; then
    eval "$__conda_setup"
else
    export PATH="$HOME/conda/bin:$PATH"
fi
unset __conda_setup
conda activate base
`,
  files: {
    'conda/bin/conda': `#!/bin/sh
case "$2" in
hook) cat <<EOF
export CONDA_EXE='$0'
__conda_exe() ( "\\$CONDA_EXE" "\\$@" )
__conda_activate() { local ask; ask="\\$(__conda_exe posix "\\$@")" || return; eval "\\$ask"; }
conda() { case "\\$1" in activate|deactivate) __conda_activate "\\$@" ;; *) __conda_exe "\\$@" ;; esac; }
EOF
;;
activate) echo "PS1='(base) '; export CONDA_DEFAULT_ENV=base CONDA_SHLVL=1; PATH=\\"$HOME/conda/envs/bin:\\$PATH\\"" ;;
deactivate) echo "unset CONDA_DEFAULT_ENV" ;;
*) echo "conda $*"; exit 4 ;;
esac
`,
  },
}

/** Other content of bash login files. */
export const bashSundries: LoginFiles = {
  profile: `shopt -s expand_aliases extglob
alias ll='ls -l' g="git
status"
alias say='echo "it'\\''s said"'
set -o pipefail -u
declare -A colours=([red]='1;31' ["with space"]="a'b\\"c")
numbers=(one "two words" $'three\\nlines')
declare -r FIXED='cannot be changed'
declare -i count=41
declare -n also=count
plain="not exported \\$HOME \\\`id\\\`"
export EXPORTED=$'two\\nlines' KEPT=changed
unset TAKEN
shared() { echo "shared $*"; }; export -f shared
match() { case "$1" in !(*.c|*.h)) echo other ;; *) echo source ;; esac; }
text() { cat <<EOF
  here $1
EOF
}
cd() { builtin cd "$@" && echo "now in $PWD"; }
complete -W "start stop" service
trap 'echo "bye $?"' EXIT
umask 0027
ulimit -S -c 0 -n 512
PS1='\\u@\\h \\$ ' PROMPT_COMMAND='history -a'
IFS=$' \\t\\n'
( exit 3 )
`,
}

/** Other content of zsh login files. */
export const zshSundries: LoginFiles = {
  profile: `setopt extended_glob null_glob pipe_fail
alias ll='ls -l' say='echo "it'\\''s said"'
alias -g UP='| tr a-z A-Z'
alias -s txt=cat
typeset -A colours=(red '1;31' 'with space' "a'b\\"c")
numbers=(one 'two words' $'three\\nlines')
typeset -r FIXED='cannot be changed'
typeset -i count=41
typeset -U path PATH
path=($HOME/bin $path $HOME/bin)
plain='not exported $HOME'
export EXPORTED=$'two\\nlines' KEPT=changed GPG_TTY=$TTY
unset TAKEN
greet() { local who=\${1:-nobody}; print -r -- "hello $who"; }
text() { cat <<EOF
  here $1
EOF
}
fpath=($HOME/functions $fpath)
autoload -Uz later
hash -d proj=$HOME/projects
trap 'echo "bye $?"' EXIT
umask 027
PROMPT='%n %# '
WORDCHARS=abc
`,
  files: { 'functions/later': 'echo "loaded later $1"\n' },
}

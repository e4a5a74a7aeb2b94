import { judges } from './cases'

judges('shells and their builtins', {
  reads: `
pwd
echo hi
echo "done"
echo -n hi
type ls
true
`,
  asks: `
export PATH=.
alias ls='touch X'
eval ls
source a.txt
. a.txt
cd ..
cd /
cd
cd -
cd dlink
[ -R x ]
printf '%n' PATH
printf 'aaaaa%n' PATH
printf '%(%s)T'
printf '%*n' 1 PATH
bash -c ls
sh -c ls
sh a.sh
set -o allexport
set -a
echo /etc/*
echo /home/*/.ssh
true /etc/*
[ -f /etc/* ]
`,
  danger: `
eval 'rm -rf /'
eval rm -rf /
eval r''m -rf /
bash -c 'rm -rf /'
bash -lc 'rm -rf /'
bash -ec 'rm -rf /'
bash --norc -c 'rm -rf /'
sh -c "rm -rf /"
zsh -c 'rm -rf /'
bash -c "bash -c 'rm -rf /'"
trap 'rm -rf /' EXIT
alias x='rm -rf /'
bash -c 'sudo id'
bash -o pipefail -c 'sudo id'
bash --rcfile x -c 'sudo id'
bash -e -u -c 'sudo id'
bash -c -- 'rm -rf /'
alias s=sudo
`,
  ordinary: `
echo 'rm -rf /'
echo "sudo rm -rf /"
echo "dd if=/dev/zero of=/dev/sda"
type reboot
bash script.sh
bash -c 'echo hi'
export FOO=bar
source venv/bin/activate
test -f .env
alias ll='ls -la'
trap 'echo bye' EXIT
`,
})

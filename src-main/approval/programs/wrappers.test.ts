import { judges } from './cases'

judges('programs that start others', {
  reads: `
command -v node
timeout 5 ls
time ls
`,
  asks: `
exec ls
builtin ls
command ls
env
env ls
nohup ls
nice ls
xargs ls
timeout 5 touch X
timeout 5 sh
timeout -s KILL 5 sh -c ls
`,
  danger: `
env rm -rf /
env -i rm -rf /
env A=1 rm -rf /
env -u A rm -rf /
env -S 'rm -rf /'
env -S'rm -rf /'
command rm -rf /
command -p rm -rf /
builtin command rm -rf /
exec rm -rf /
exec -a x rm -rf /
nice rm -rf /
nice -n 5 rm -rf /
nohup rm -rf /
timeout 9 rm -rf /
timeout -k 1 9 rm -rf /
timeout --signal=KILL 9 rm -rf /
stdbuf -o0 rm -rf /
setsid rm -rf /
setsid -w rm -rf /
time rm -rf /
time -p rm -rf /
ionice -c 3 rm -rf /
busybox rm -rf /
toybox rm -rf /
busybox sh -c 'rm -rf /'
watch rm -rf /
watch -n 1 'rm -rf /'
flock x rm -rf /
flock x -c 'rm -rf /'
script -c 'rm -rf /' x
parallel rm -rf ::: /
strace rm -rf /
env sudo id
command sudo id
script -qc 'sudo id' /dev/null
`,
  ordinary: `
env FOO=1 npm test
timeout 60 npm test
`,
})

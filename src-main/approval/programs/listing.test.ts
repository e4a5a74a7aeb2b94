import { judges } from './cases'

judges('programs that tell about files and the computer', {
  reads: `
ls
ls -la
ls -la src
ls -lah --color=always
ls "my file.txt"
ls 'src'
ls ./*.csv
ls *.md
ls src/*.ts
file a.txt
stat a.txt
stat -c %s a.txt
du -sh src
du -sh .
du -h --max-depth=1
df -h
df -h .
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
basename a/b.txt
basename a/b.txt .txt
dirname src/app.ts
realpath a.txt
readlink inside-link
tree
tree -L 2 src
tree -a -I node_modules
seq 1 5
sleep 1
hostname
nproc
uptime
free -h
md5sum a.txt
sha256sum a.txt
ls --help
`,
  asks: `
ls ^a^b
ls =ls
ls /
ls /etc
ls ..
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
hostname evil
hostname -F a.txt
sleep 9999
sleep infinity
sleep 1h
du -L .
du --files0-from=a.txt
du /
ls -L dlink
ls dlink
stat /etc/passwd
ls "
ls '
basename -a /etc/*
`,
  ordinary: `
which sudo
ls -l /dev/sda
ls /dev/shm
ls -la .env
`,
})

import { judges } from './cases'

judges('search', {
  reads: `
grep foo a.txt
grep -n foo a.txt
grep -rn foo src
grep -rn "foo" src --include=*.ts
grep -i -A 3 -B3 foo a.txt
grep -c foo a.txt
grep -- -v a.txt
rg -l TODO src
rg -tts -C2 foo src
rg --files src
rg -g '*.ts' foo src
find . -name '*.ts'
find . -type f -name "*.ts" -not -path './node_modules/*'
find src -maxdepth 2 -type d
find . -type f -size +1M -print
grep --version
`,
  asks: `
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
rg --pre ./x foo
rg --pre=./x foo
rg --hostname-bin ./x foo
rg -z foo
rg -L foo
rg --follow foo
rg --ignore-file .env foo
rg foo /etc
rg -f /etc/shadow .
rg x keys2
`,
  danger: `
find / -delete
find ~ -delete
find . -delete
find / -name core -delete
grep -r '' ~/.ssh
grep x .env
`,
  ordinary: `
find . -name '*.pyc' -delete
find build -type f -delete
grep -r sudo src
grep "dd if=" README.md
grep -c reboot /var/log/syslog
grep -rn ".env" src
rg 'rm -rf /' src
`,
})

import { judges } from './cases'

judges('text tools', {
  reads: `
cat a.txt
cat -n a.txt
cat ./a.txt
cat "my file.txt"
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
sort a.txt
sort -k2,2n -t, a.csv
uniq a.txt
cut -d, -f1 a.csv
cut -d ',' -f 1,2 a.csv
diff a.txt b.txt
diff -u a.txt b.txt
cmp a.txt b.txt
jq . package.json
jq '.name' package.json
jq '.env' package.json
sed -n '1,20p' a.txt
sed -n 5p a.txt
sed -n '/foo/p' a.txt
sed -n '/start/,/end/p' a.txt
sed 's/foo/bar/' a.txt
sed -e 's/a/b/g' -e 's/c/d/' a.txt
awk 'NR==5' a.txt
xxd -l 16 a.txt
od -c a.txt
strings a.txt
base64 a.txt
nl a.txt
tac a.txt
column -t -s, a.csv
comm -12 a.txt b.txt
paste a.txt b.txt
`,
  asks: `
xxd a.txt -e
xxd src/* -e
uniq a.txt -c
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
cat /proc/self/environ
cat /proc/1/environ
cat /dev/tty
cat /dev/sda
cat server.pem
cat keys/id_rsa
head .npmrc
sort -o X a.txt
sort -oX a.txt
sort -uoX a.txt
sort --output=X a.txt
sort --outp=X a.txt
sort --compress-program=./x a.txt
sort --compress-prog=./x a.txt
sort -T /tmp a.txt
sort --files0-from=a.txt
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
sed e a.txt
sed -f a.txt b.txt
sed '1r /etc/passwd' a.txt
sed 'R /etc/passwd' a.txt
sed -e p -e 'w X' a.txt
sed 's/[/]/x/w X' a.txt
awk -f a.txt
awk -v x=1 -f a.txt
awk '@load "x"' a.txt
jq -n env
jq -n 'env.HOME'
jq -n '[1,env,2]'
jq -n 'input'
jq -f a.txt
jq --from-file a.txt .
jq -L . .
jq --slurpfile x /etc/passwd . a.txt
jq --rawfile x .env . a.txt
jq . /etc/passwd
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
base64 a.txt -o X
base64 -i a.txt
xxd a.txt X
xxd -r a.txt
xxd -r a.txt X
wc --files0-from=a.txt
cat -- .env
`,
  danger: `
cat /dev/sda
cat ~/.ssh/id_rsa
cat ~/.aws/credentials
cat .env
cat .env.local
head -1 .env
base64 .env
cat /etc/shadow
cat /proc/self/environ
cat /proc/1/environ
cat ~/.netrc
cat ~/.config/gh/hosts.yml
cat ~/.bash_history
cat ~/.ssh/*
sed -i s/a/b/ ~/.bashrc
sed -i s/safe/all/ ~/.config/deckhand/settings.json
`,
  ordinary: `
sed -n '/sudo/p' Dockerfile
jq '.shutdown' config.json
jq '.env' config.json
cat /sys/class/dmi/id/product_name
cat /proc/cpuinfo
cat /etc/os-release
cat .env.example
cat ~/.ssh/id_rsa.pub
`,
})

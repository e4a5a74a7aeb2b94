import { judges } from './cases'

judges('processes', {
  reads: `
ps aux
ps -ef
ps -eo pid,ppid,cmd
who
who -b
who am i
w -h
w root
last -n 5 root
pstree -p 1
ss -tlnp
netstat -rn
netstat -tulpn
ifconfig
ifconfig -a
ifconfig eth0
ip addr
ip -4 -o addr show dev eth0
ip route show
`,
  asks: `
ps auxe
ps e
ps -E
ps -o environ
who /etc/passwd
who --lookup
last -f /tmp/x
last -d
pstree -H 1
ss -K
ss -r
ss dst 10.0.0.1
netstat
netstat -t
netstat -nc
ifconfig eth0 down
ifconfig eth0 10.0.0.1
ip link set eth0 down
ip addr add 10.0.0.1/8 dev eth0
ip netns exec x sh
ip -b commands
ip route show table all exec
ps -eo pid,environ
kill 1
`,
  danger: `
kill -9 -1
kill -9 1
kill -1 -1
kill -KILL -1
kill -s KILL -- -1
kill -- -1
pkill -9 -f node
pkill node
pkill .
pkill -u root
killall -9 electron
killall node
`,
  ordinary: `
kill 12345
kill -9 12345
kill %1
kill -0 12345
pkill -f my-server
pkill vite
killall vite
`,
})

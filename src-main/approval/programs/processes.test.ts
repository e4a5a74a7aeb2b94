import { judges } from './cases'

judges('processes', {
  reads: `
ps aux
ps -ef
ps -eo pid,ppid,cmd
`,
  asks: `
ps auxe
ps e
ps -E
ps -o environ
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

import { judges } from './cases'

judges('archives', {
  asks: `
tar cf x.tar a.txt
`,
  danger: `
tar cf x a --checkpoint-action=exec='rm -rf /'
tar czf x.tgz ~/.ssh
`,
  ordinary: `
tar czf x.tgz src
tar xf x.tgz
`,
})

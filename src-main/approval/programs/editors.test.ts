import { judges } from './cases'

judges('editors and agents', {
  asks: `
less a.txt
more a.txt
man ls
vim a.txt
`,
  danger: `
claude mcp add x
`,
  ordinary: `
man shutdown
man sudo
code --goto src/reboot.ts:3
`,
})

import { judges } from './cases'

judges('build tools', {
  asks: `
make
`,
  ordinary: `
make
make clean
`,
})

import { judges } from './cases'

judges('node', {
  reads: `
node --version
node -v
npm -v
npm ls
npm ls --depth=0
`,
  asks: `
node -e 1
node a.js
npm test
npm run build
npm install
npm ls --prefix evil
npm ls --script-shell=x
npm --version --prefix x
npx tsc
`,
  danger: `
node -e 'require("child_process").execSync("rm -rf /")'
npm publish
npm publish --access public
pnpm publish
yarn npm publish
yarn publish
npx semantic-release
npm config set script-shell x
`,
  ordinary: `
npm run reboot-server
npm run format
npm test
npm install
npm run publish-docs
node -e "console.log('rm -rf /')"
node server.js
npx tsc --noEmit
`,
})

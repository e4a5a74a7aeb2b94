// npm run package:test: installs the deb in a clean system and uses it there as an ordinary user would.
import { copyFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { onTestDisplay } from '../../scripts/display.mjs'
import { at, capture, exitCodeOf, handOver, hasProgram, isRoot } from '../../scripts/run.mjs'
import { during, Refusal, runMain, say } from '../../scripts/say.mjs'
import { install, openRoot, user } from './clean-root.mjs'

runMain(async () => {
  const { values: given } = parseArgs({
    options: { deb: { type: 'string' }, model: { type: 'string' }, rpm: { type: 'string' } },
  })
  const missing = ['debootstrap', 'bwrap', 'Xvfb', 'dpkg-deb'].filter((program) => !hasProgram(program))
  if (!isRoot || missing.length > 0) {
    throw new Refusal(
      `The test of the package runs as root on Debian or Ubuntu, with the network that apt needs.\n${missing.length > 0 ? `Missing: ${missing.join(', ')}. Run: apt-get install -y debootstrap bubblewrap xvfb` : ''}`,
    )
  }
  const made = given.deb
    ? [given.deb, given.model, given.rpm].flatMap((file) => (file ? [resolve(file)] : []))
    : await build()
  const debs = made.filter((file) => file.endsWith('.deb'))
  const rpm = made.find((file) => file.endsWith('.rpm')) ?? ''
  const root = await during('Preparing a clean system', openRoot)
  try {
    await during('Installing the package there', () => install(root.path, debs))
    return await onTestDisplay(async (env) => {
      const authority = join(root.path, user.home, '.Xauthority')
      copyFileSync(env.XAUTHORITY, authority)
      await capture('chown', [`${user.id}:${user.id}`, authority])
      const args = [at('node_modules/@playwright/test/cli.js'), 'test', '-c', at('packaging/test/playwright.config.ts')]
      return exitCodeOf(
        await handOver(process.execPath, args, {
          env: { ...env, DECKHAND_PACKAGE_ROOT: root.path, DECKHAND_PACKAGE_RPM: rpm },
        }),
      )
    })
  } finally {
    root.close()
  }
})

/** A package that is only tested need not be small, and may hold the fallback Electron. */
async function build() {
  const forms = hasProgram('rpmbuild') && hasProgram('rpm') ? 'deb,model,rpm' : 'deb,model'
  const args = [at('packaging/package.mjs'), '--development', '--quick', '--only', forms]
  say(`Building the package (npm run package -- --development --quick --only ${forms})`)
  const { code } = await handOver(process.execPath, args)
  if (code !== 0) throw new Refusal('The package was not built.')
  return readdirSync(at('dist'))
    .filter((name) => /\.(?:deb|rpm)$/.test(name))
    .map((name) => at(`dist/${name}`))
}

// Generates commands, runs what the gate lets through in a throw-away sandbox, and finds whatever changed:
// npm run fuzz, or npm run fuzz -- 50000 for so many commands (a million without), with DECKHAND_SEED for the same ones again.
import { rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { electronBinary } from './electron-binary.mjs'
import { at, handOver } from './run.mjs'
import { runMain } from './say.mjs'
import { systemPackages } from './system-packages.mjs'

/**
 * @param {string} electron
 * @param {number} count
 * @param {string[]} more arguments for vitest
 */
export function fuzz(electron, count, more = []) {
  rmSync(at('test-results/fuzz.json'), { force: true })
  const config = ['--config', at('security/fuzz/vitest.config.ts'), '--root', at('.')]
  return handOver(electron, [at('node_modules/vitest/vitest.mjs'), 'run', ...config, ...more], {
    cwd: at('.'),
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', DECKHAND_FUZZ: String(count) },
    stdio: ['ignore', 2, 2],
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  runMain(async () => {
    const electron = await electronBinary()
    await systemPackages({ electron, programs: ['git', 'bwrap'] })
    return (await fuzz(electron, Number(process.argv[2] ?? 1_000_000))).code ?? 1
  })
}

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

/** The agent as it ships: one bundle that plain Node can run. */
export async function bundleAgent(): Promise<{ script: string; remove(): void }> {
  const root = join(import.meta.dirname, '../..')
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  // Inside the tree, so that native packages are found as they are after an installation.
  const outDir = mkdtempSync(join(root, 'node_modules/.cache/node-agent-'))
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['node-pty', '@vscode/ripgrep'] },
    build: {
      ssr: join(root, 'src-main/node-agent/main.ts'),
      outDir,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'agent.mjs' } },
    },
  })
  return { script: join(outDir, 'agent.mjs'), remove: () => rmSync(outDir, { recursive: true, force: true }) }
}

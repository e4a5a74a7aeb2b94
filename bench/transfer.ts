import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'vite'
import { bundleAgent } from '../src-main/gateway/test-agent'
import type { Row } from './row'

const root = resolve(import.meta.dirname, '..')

/** Files between machines and calls on them: measured in a process of its own, as the app would be. */
export async function measure(tell: (line: string) => void): Promise<Row[]> {
  const agent = await bundleAgent()
  const outDir = resolve(agent.script, '..')
  try {
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      ssr: { noExternal: true, external: ['node-pty', '@vscode/ripgrep'] },
      build: {
        ssr: join(root, 'bench/transfer-run.ts'),
        outDir,
        emptyOutDir: false,
        target: 'node24',
        rolldownOptions: { output: { entryFileNames: 'run.mjs' } },
      },
    })
    tell('transfer: a gigabyte between two nodes, and calls on another machine …')
    const child = spawn(process.execPath, [join(outDir, 'run.mjs'), agent.script], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', SHELL: '/bin/sh' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return JSON.parse(await text(child.stdout)) as Row[]
  } finally {
    agent.remove()
  }
}

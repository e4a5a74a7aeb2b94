import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { until } from './harness'

const root = resolve(import.meta.dirname, '..')

/** `deckhand node` as one file, made from the sources as they are: what is tested is a program of its own. */
export async function buildNodeProgram(): Promise<{ file: string; remove(): void }> {
  const results = join(root, 'test-results')
  mkdirSync(results, { recursive: true })
  // Inside the tree, so that it finds its native packages.
  const folder = mkdtempSync(join(results, 'node-program-'))
  const bundle = await rolldown({
    input: join(root, 'src-main/node-agent/main.ts'),
    platform: 'node',
    external: [/^node:/, ...builtinModules, 'node-pty', '@vscode/ripgrep', 'bufferutil', 'utf-8-validate'],
    logLevel: 'silent',
  })
  const file = join(folder, 'node-agent.mjs')
  await bundle.write({
    dir: folder,
    format: 'es',
    entryFileNames: 'node-agent.mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export interface NodeProcess {
  child: ChildProcess
  /** What it has said on its terminal. */
  said(): string
  end(): Promise<void>
}

/** Another machine, as far as anybody can tell: a process of its own, with its own folder and environment. */
export function startNode(
  file: string,
  options: {
    gateway: string
    token: string
    id: string
    workspace: string
    data: string
    role?: string
    env?: Record<string, string>
  },
): NodeProcess {
  const { gateway, token, id, workspace, data, role } = options
  const args = [file, '--gateway', gateway, '--token', token, '--id', id, '--workspace', workspace, '--data', data]
  const child = spawn(process.execPath, [...args, ...(role ? ['--role', role] : [])], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', SHELL: '/bin/sh', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  return {
    child,
    said: () => output,
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      const patience = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(patience)
    },
  }
}

/** Waits for something that the node brings about, and shows what it said if it does not. */
export async function untilNode(node: NodeProcess, check: () => boolean | Promise<boolean>): Promise<void> {
  try {
    await until(check)
  } catch (error) {
    throw new Error(`The node did not do what was waited for. It said:\n${node.said()}`, { cause: error })
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { until } from './harness'

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

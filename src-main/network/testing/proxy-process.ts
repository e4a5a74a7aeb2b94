import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface ProxyProcess {
  port: number
  /** What it was asked for, a line for each request. */
  asked: string[]
  close(): Promise<void>
}

/** Starts the test proxy. `user` is `name:password`. */
export async function startProxy(
  options: { user?: string; hosts?: Record<string, string> } = {},
): Promise<ProxyProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'proxy.mjs')], {
    env: {
      ...process.env,
      ELECTRON_RUN_AS_NODE: '1',
      PROXY_USER: options.user ?? '',
      HOSTS: JSON.stringify(options.hosts ?? {}),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const asked: string[] = []
  let rest = ''
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The proxy ended with ${code}`)))
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const found = /^listening (\d+)$/.exec(line)?.[1]
        if (found) resolve(Number(found))
        else asked.push(line)
      }
    })
  })
  return {
    port,
    asked,
    close: () =>
      new Promise((ended) => {
        child.once('exit', () => ended())
        child.kill('SIGKILL')
      }),
  }
}

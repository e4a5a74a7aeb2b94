import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const patienceMs = 180_000

export const bareApp = join(root, 'bench/window/bare.js')
export const ourApp = join(root, 'out/main/index.js')

export type Task =
  | { name: 'start' }
  | { name: 'open'; sessions: SessionToOpen[] }
  | { name: 'scroll'; sessions: SessionToOpen[]; frames: number }

interface SessionToOpen {
  title: string
  /** Words of its last message; nothing for an empty one. */
  shows?: string
}

/** Launches an app with a task for the probe in its window, and answers with what the probe found. */
export async function inWindow<Result>(app: string, folder: string, task: Task): Promise<Result> {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const args = [...flags, join(root, 'bench/window'), `--user-data-dir=${folder}`]
  const child = spawn(process.execPath, args, {
    env: { ...env, HOME: folder, BENCH_APP: app, BENCH_TASK: JSON.stringify(task) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  const code = await new Promise((done, fail) => child.on('error', fail).on('close', done))
  clearTimeout(timer)
  const result = /^RESULT (.*)$/m.exec(said)?.[1]
  if (!result || result.startsWith('{"error"')) throw new Error(`The window ended with code ${code}\n${said}`)
  return JSON.parse(result) as Result
}

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright'
import { type ScriptedModel, scriptedModel } from '../e2e/scripted-model'

const checkout = resolve(import.meta.dirname, '..')
const program = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron'

/** The built app with a scripted model, and a record of everything that its page did by itself. */
export interface AppWindow {
  app: ElectronApplication
  page: Page
  model: ScriptedModel
  workspace: string
  /** The folder of the app's own files. */
  data: string
  /** Addresses that the page asked for, other than its own. */
  requests: string[]
  /** Boxes that a script opened. */
  dialogs: string[]
  close(): Promise<void>
}

/** `extra`: settings beyond those that lead to the model. */
export async function openApp(extra: Record<string, unknown> = {}): Promise<AppWindow> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-security-app-')))
  const [data, workspace, home] = ['data', 'workspace', 'home'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [data, workspace, home]) mkdirSync(folder)
  const model = await scriptedModel()
  const provider = {
    id: 'scripted',
    name: 'Scripted',
    kind: 'openai',
    baseUrl: model.baseUrl,
    models: [{ id: 'scripted/scripted', name: 'scripted', contextWindow: 10_000_000 }],
  }
  const settings = {
    defaultModel: 'scripted/scripted',
    defaultWorkspace: workspace,
    providers: [provider],
    modelTitles: false,
    ...extra,
  }
  writeFileSync(join(data, 'settings.json'), JSON.stringify(settings))
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env as Record<string, string>
  const app = await _electron.launch({
    executablePath: join(checkout, 'node_modules/electron/dist', program),
    args: [join(checkout, 'out/main/index.js'), `--user-data-dir=${data}`],
    cwd: workspace,
    env: { ...env, HOME: home },
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: 60_000,
  })
  const page = await app.firstWindow({ timeout: 60_000 })
  const requests: string[] = []
  const dialogs: string[] = []
  page.on('request', (request) => {
    if (!/^(?:deckhand|data|blob|devtools):/.test(request.url())) requests.push(request.url())
  })
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await page.getByLabel('Message to Deckhand').waitFor({ timeout: 60_000 })
  return {
    app,
    page,
    model,
    workspace,
    data,
    requests,
    dialogs,
    close: async () => {
      await app.close()
      await model.close()
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: replies are looked at as they come
export type Reply = { ok: boolean; value?: any; error?: string }

/** A call as the page makes it. */
export const callFrom = (page: Page, name: unknown, input: unknown): Promise<Reply> =>
  page.evaluate(
    ([each, what]) =>
      (globalThis as unknown as { deckhand: { call(name: unknown, input: unknown): Promise<Reply> } }).deckhand.call(
        each,
        what,
      ),
    [name, input],
  )

/** Starts the app without anybody driving it, sends it a signal, and answers what it printed and whether it lives on. */
export async function signalApp(signal: NodeJS.Signals): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'deckhand-security-signal-'))
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const args = [join(checkout, 'out/main/index.js'), `--user-data-dir=${root}`]
  const child = spawn(
    join(checkout, 'node_modules/electron/dist', program),
    [...args, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    { cwd: root, env: { ...env, HOME: root }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let told = ''
  const hear = (chunk: Buffer): void => {
    told += chunk.toString()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  try {
    const isUp = (): boolean => existsSync(join(root, 'deckhand.db'))
    for (const deadline = Date.now() + 60_000; !isUp() && Date.now() < deadline; ) await pause(100)
    await pause(1000)
    child.kill(signal)
    await pause(1500)
    return `${child.exitCode === null && child.signalCode === null ? 'alive' : 'ended'} ${told}`
  } finally {
    child.kill('SIGKILL')
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

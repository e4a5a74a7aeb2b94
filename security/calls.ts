import { calls as contract } from '../src-preload/contract/ipc'
import { type AppWindow, callFrom, openApp, type Reply, signalApp } from './app-window'
import { type Case, expand, failed, type Judge, type Result, undecided, verdict } from './cases'

interface Attack {
  channel?: string
  payload?: unknown
  sender?: string
  event?: string
}

/** Calls that a page which has gone over to the enemy could make, in the real app. */
export const callsJudge: Judge = {
  classes: ['ipc-abuse'],
  async run(cases) {
    const opened = await openApp()
    const results: Result[] = []
    try {
      for (const one of cases) {
        const result = await judge(one, expand(one.input) as Attack, opened).catch((error: Error) =>
          failed(one, error.message.slice(0, 300)),
        )
        const alive = await callFrom(opened.page, 'session.list', {})
        results.push(alive.ok ? result : failed(one, 'the app does not answer any more'))
      }
    } finally {
      await opened.close()
    }
    return results
  },
}

async function judge(one: Case, attack: Attack, opened: AppWindow): Promise<Result> {
  if (attack.event !== undefined) return judgeEvent(one, attack.event, opened)
  const { channel = '', payload, sender = 'main-frame' } = attack
  if (sender !== 'main-frame') return judgeSender(one, sender, opened)
  if (/flood/.test(one.expected.why ?? '')) return judgeFlood(one, opened)
  if (channel === 'EVERY') return judgeEvery(one, payload, opened)
  return judgeRole(one, channel, payload, opened)
}

/** Every call that does not take this input by its own contract has to refuse it. */
async function judgeEvery(one: Case, payload: unknown, { page }: AppWindow): Promise<Result> {
  const odd = payload === '__cyclic__' ? 'circle' : JSON.stringify(payload)?.includes('10,000 levels') ? 'deep' : null
  const names = Object.entries(contract)
    .filter(([, { input }]) => odd !== null || !takes(input, payload))
    .map(([name]) => name)
  const before = JSON.stringify((await callFrom(page, 'session.list', {})).value)
  const taken = await page.evaluate(
    async ({ each, what, shape }) => {
      let input: unknown = what
      if (shape === 'circle') {
        const circle: Record<string, unknown> = {}
        circle.self = circle
        input = circle
      }
      if (shape === 'deep') for (let level = 0; level < 900; level++) input = { a: input }
      const { deckhand } = globalThis as unknown as { deckhand: { call(name: string, input: unknown): Promise<Reply> } }
      const send = async (name: string): Promise<Reply> => deckhand.call(name, input)
      const replies = await Promise.all(each.map((name) => send(name).catch(() => ({ ok: false }))))
      return each.filter((_, at) => replies[at]?.ok)
    },
    { each: names, what: odd === null ? payload : {}, shape: odd },
  )
  const after = JSON.stringify((await callFrom(page, 'session.list', {})).value)
  return verdict(
    one,
    taken.length === 0 && before === after,
    `taken by ${taken.join(', ') || 'nobody, but something changed'}`,
  )
}

function takes(schema: { safeParse(input: unknown): { success: boolean } }, payload: unknown): boolean {
  try {
    return schema.safeParse(payload).success
  } catch {
    // Some patterns overflow on very long text; the app has to refuse that as well.
    return false
  }
}

async function judgeSender(one: Case, sender: string, { app, page }: AppWindow): Promise<Result> {
  if (sender === 'iframe' || sender === 'webview') {
    const reached = await page.evaluate(async (tag) => {
      const frame = document.createElement(tag)
      frame.setAttribute('src', 'about:blank')
      document.body.append(frame)
      await new Promise((done) => setTimeout(done, 300))
      const inner = (frame as HTMLIFrameElement).contentWindow as unknown as { deckhand?: unknown } | null
      const reached = inner?.deckhand !== undefined
      frame.remove()
      return reached
    }, sender)
    return verdict(one, !reached, 'the bridge was there')
  }
  const address =
    sender === 'second-window'
      ? 'data:text/html,second'
      : sender.startsWith('file:')
        ? 'file:///etc/hostname'
        : 'data:text/html,other'
  const reply = await app.evaluate(async ({ BrowserWindow }, url) => {
    const [own] = BrowserWindow.getAllWindows() as unknown as {
      webContents: { getLastWebPreferences(): { preload?: string } }
    }[]
    const preload = own?.webContents.getLastWebPreferences().preload
    const other = new BrowserWindow({
      show: false,
      webPreferences: { ...(preload !== undefined && { preload }), sandbox: true },
    })
    try {
      await other.loadURL(url)
      return await other.webContents.executeJavaScript(
        `typeof deckhand === 'undefined' ? { ok: false, error: 'no bridge' } : deckhand.call('session.list', {})`,
      )
    } finally {
      other.destroy()
    }
  }, address)
  return verdict(one, (reply as Reply).ok === false, 'another window was answered')
}

async function judgeFlood(one: Case, { page }: AppWindow): Promise<Result> {
  const answered = await page.evaluate(async () => {
    const { deckhand } = globalThis as unknown as { deckhand: { call(name: string, input: unknown): Promise<Reply> } }
    const all = Array.from({ length: 20_000 }, () => deckhand.call('session.list', { junk: 1 }).catch(() => null))
    return (await Promise.all(all)).filter((reply) => reply?.ok).length
  })
  return verdict(one, answered === 0, `${answered} were taken`)
}

/** What the roles of the cases are called here; a role that does not exist is no way in. */
const ROLES: Record<string, (payload: Record<string, unknown>) => [string, unknown]> = {
  'approval:resolve': ({ id, decision }) => [
    'question.answer',
    { questionId: id, answer: { decision, scope: 'once' } },
  ],
  'pty:spawn': (payload) => ['process.open', { sessionId: 'x', ...payload }],
  'shell:openExternal': (payload) => ['app.openLink', payload],
  'settings:set': ({ key, value }) =>
    key === 'approval.mode'
      ? ['settings.update', { defaultMode: 'all' }]
      : ['settings.update', { [String(key)]: value }],
  'clipboard:write': (payload) => ['app.copy', payload],
  'clipboard:read': () => ['app.paste', {}],
  'session:delete': (payload) => ['session.delete', payload],
  'schedule:add': (payload) => [
    'schedule.add',
    {
      name: 'added',
      schedule: { kind: 'every', everyMinutes: 1 },
      spec: { mode: 'task', message: 'Do what you like.' },
      ...payload,
    },
  ],
  'mcp:add': (payload) => ['mcp.save', { id: 'added', config: payload, secrets: {} }],
}

async function judgeRole(one: Case, channel: string, payload: unknown, { app, page }: AppWindow): Promise<Result> {
  if (channel.startsWith('pty:resize')) return undecided(one, 'sizes travel on a port of the terminal host')
  const role = Object.hasOwn(ROLES, channel) ? ROLES[channel] : undefined
  const [name, input] = role ? role((payload ?? {}) as Record<string, unknown>) : [channel, payload]
  if (channel === 'shell:openExternal') {
    await app.evaluate(({ shell, dialog }) => {
      shell.openExternal = async () => undefined
      dialog.showMessageBox = (async () => ({ response: 1, checkboxChecked: false })) as never
    })
  } else {
    // Whoever is asked says no.
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = (async () => ({ response: 0, checkboxChecked: false })) as never
    })
  }
  const reply = await callFrom(page, name, input)
  if (/no person/.test(one.expected.assert ?? ''))
    return verdict(one, reply.error === 'Only you can do that.', `${name} said ${JSON.stringify(reply).slice(0, 120)}`)
  const done = reply.ok && reply.value !== false
  const benign = /^allowed|shown/.test(one.expected.assert ?? '')
  return verdict(one, benign || !done, `${name} said ${JSON.stringify(reply).slice(0, 120)}`)
}

const PERMISSIONS =
  /permission|camera|microphone|geolocation|notification|usb|serial|bluetooth|hid|midi|screen (?:capture|share)/i

/** Whatever a page could ask the user or the system for, it does not get. */
async function judgePermissions(one: Case, page: AppWindow['page']): Promise<Result> {
  const given = await page.evaluate(async () => {
    // Some wishes are never answered, which is as good as no.
    const never = new Promise<boolean>((done) => setTimeout(() => done(false), 3000))
    const got = (wish: () => Promise<unknown>): Promise<boolean> =>
      Promise.race([
        never,
        Promise.resolve()
          .then(wish)
          .then(
            (value) => value !== 'denied' && value !== undefined,
            () => false,
          ),
      ])
    const wishes: Record<string, () => Promise<unknown>> = {
      microphone: () => navigator.mediaDevices.getUserMedia({ audio: true }),
      camera: () => navigator.mediaDevices.getUserMedia({ video: true }),
      screen: () => navigator.mediaDevices.getDisplayMedia(),
      place: () => new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, no)),
      notifications: () => Notification.requestPermission(),
      clipboard: () => navigator.clipboard.readText(),
      fullscreen: () => document.documentElement.requestFullscreen().then(() => 'given'),
    }
    const names = Object.keys(wishes)
    const answers = await Promise.all(names.map((name) => got(wishes[name] as () => Promise<unknown>)))
    return names.filter((_, index) => answers[index])
  })
  return verdict(one, given.length === 0, `given: ${given.join(', ')}`)
}

/** The app as a user starts it: a test that drives it would have opened the debugger itself. */
async function judgeSignal(one: Case): Promise<Result> {
  const told = await signalApp('SIGUSR1')
  return verdict(one, /alive/.test(told) && !/Debugger listening/i.test(told), told.slice(0, 200))
}

async function judgeEvent(one: Case, event: string, { app, page }: AppWindow): Promise<Result> {
  if (/SIGUSR1/.test(event)) return judgeSignal(one)
  if (/run_?as_?node|node_options|--?inspect|remote-debugging|asar|\bfuse/i.test(event))
    return undecided(one, 'fuses are set when the app is packaged; this one is not')
  if (PERMISSIONS.test(event)) return judgePermissions(one, page)
  const before = page.url()
  const outcome = await page.evaluate(async (what) => {
    const wait = (): Promise<void> => new Promise((done) => setTimeout(done, 400))
    const address = /(?:https?|file):\/\/[^\s'">)]*/.exec(what)?.[0] ?? 'https://evil.test'
    const tag = /<(\w+)/.exec(what)?.[1]
    if (/navigate/.test(what)) location.href = address
    else if (/window\.open/.test(what)) return String(window.open(address) !== null)
    else if (/service worker/.test(what))
      return navigator.serviceWorker
        ? navigator.serviceWorker.register('/sw.js').then(
            () => 'true',
            () => 'false',
          )
        : 'false'
    else if (/drag-drop/.test(what)) {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['<script>1</script>'], 'x.html', { type: 'text/html' }))
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
    } else if (tag) {
      const holder = document.createElement('div')
      holder.innerHTML = what
      document.body.append(holder)
      const element = holder.firstElementChild as HTMLElement & { submit?: () => void }
      if (element instanceof HTMLFormElement) element.submit()
      else element?.click()
      await wait()
      holder.remove()
    }
    await wait()
    return 'false'
  }, event)
  const windows = await app.evaluate(({ BrowserWindow, webContents }) => [
    BrowserWindow.getAllWindows().length,
    webContents.getAllWebContents().length,
  ])
  const ok = page.url() === before && outcome === 'false' && windows[0] === 1
  return verdict(one, ok, `now at ${page.url()}, ${windows.join('/')} windows, ${outcome}`)
}

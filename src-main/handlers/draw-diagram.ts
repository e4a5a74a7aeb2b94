import { WebContentsView } from 'electron'
import { appOrigin, diagramPage } from '../app-protocol'
import { isRecord } from '../is-record'
import { confine, serveWindowFiles } from '../window'

/** A text that keeps the layout busy for longer is not worth it. */
const drawMs = 15_000
/** The process that draws ends when nothing was drawn for a while. */
const idleMs = 30_000
const longestSvg = 4_000_000

type Drawn = { svg: string } | { problem: string }

let page: { view: WebContentsView; ready: Promise<void> } | null = null
let idle: NodeJS.Timeout | undefined
let before: Promise<unknown> = Promise.resolve()

/**
 * Draws a diagram, one after the other. The text comes from a model, and what reads it is a large program: it runs in a process
 * of its own, sandboxed, without a bridge and without network, and what comes back is only ever shown as an image.
 */
export function drawDiagram(text: string, theme: 'light' | 'dark'): Promise<Drawn> {
  const drawing = before.then(() => draw(text, theme))
  before = drawing.catch(() => {})
  return drawing
}

async function draw(text: string, theme: 'light' | 'dark'): Promise<Drawn> {
  clearTimeout(idle)
  page ??= openPage()
  const { view, ready } = page
  const { promise: late, reject } = Promise.withResolvers<never>()
  const limit = setTimeout(() => reject(new Error('It took too long to draw.')), drawMs)
  // It may crash while it draws.
  const onGone = (): void => reject(new Error('It could not be drawn.'))
  view.webContents.once('render-process-gone', onGone)
  try {
    await Promise.race([ready, late])
    const script = `drawDiagram(${JSON.stringify(text)}, ${JSON.stringify(theme)})`
    return read(await Promise.race([view.webContents.executeJavaScript(script), late]))
  } catch (error) {
    closePage()
    return { problem: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(limit)
    if (page) view.webContents.off('render-process-gone', onGone)
    idle = setTimeout(closePage, idleMs)
    idle.unref()
  }
}

/** Nothing that the page says is taken at its word. */
function read(answer: unknown): Drawn {
  const { svg, problem } = isRecord(answer) ? answer : {}
  if (typeof problem === 'string') return { problem: problem.slice(0, 500) }
  if (typeof svg !== 'string' || !svg.startsWith('<svg')) return { problem: 'It could not be drawn.' }
  return svg.length > longestSvg ? { problem: 'The drawing is too large.' } : { svg }
}

function openPage(): NonNullable<typeof page> {
  const view = new WebContentsView({
    webPreferences: {
      partition: 'diagrams',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      backgroundThrottling: false,
    },
  })
  view.setBounds({ x: 0, y: 0, width: 1000, height: 800 })
  const { webContents } = view
  confine(webContents)
  serveWindowFiles(webContents.session)
  webContents.session.webRequest.onBeforeRequest(({ url }, decide) =>
    decide({ cancel: !url.startsWith(`${appOrigin}/`) }),
  )
  return { view, ready: webContents.loadURL(`${appOrigin}${diagramPage}`) }
}

function closePage(): void {
  page?.view.webContents.close()
  page = null
}

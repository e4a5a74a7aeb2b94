import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import type { Engine } from '../engine'
import { trayIcon } from './tray-icon'
import { type TrayFacts, type TrayItem, trayMenu, trayTip } from './tray-menu'

export interface TrayDeeds {
  open(): void
  openSession(sessionId: string): void
  prompt(): void
  quit(): void
}

const refreshMs = 300

/** An icon in the tray while the app may run without its window. Desktops without a tray show nothing. */
export function keepTray(engine: Engine, deeds: TrayDeeds): void {
  let tray: Tray | null = null
  let soon = false

  const draw = () => {
    soon = false
    const wanted = engine.settings.current().onClose === 'background'
    if (!wanted) {
      tray?.destroy()
      tray = null
      return
    }
    tray ??= open(deeds)
    const facts = factsOf(engine)
    tray.setToolTip(trayTip(facts))
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(facts).map((item) => entryOf(item, deeds))))
  }
  const drawSoon = () => {
    if (soon) return
    soon = true
    setTimeout(draw, refreshMs).unref()
  }
  draw()
  engine.subscribe((event) => {
    if (event.type === 'settings' || (tray && (event.type === 'session' || event.type === 'call'))) drawSoon()
  })
}

function open({ open: show }: TrayDeeds): Tray {
  const tray = new Tray(nativeImage.createFromDataURL(trayIcon))
  tray.on('click', show)
  return tray
}

function factsOf({ store, runner }: Engine): TrayFacts {
  return {
    running: store.sessions
      .list()
      .filter(({ status }) => status === 'running')
      .map(({ id, title }) => ({ sessionId: id, title })),
    waiting: runner.questions().map(({ session, question }) => ({
      sessionId: session.id,
      title: session.title,
      asks: question.command ?? question.title,
    })),
  }
}

function entryOf(item: TrayItem, deeds: TrayDeeds): MenuItemConstructorOptions {
  switch (item.type) {
    case 'separator':
      return { type: 'separator' }
    case 'heading':
      return { label: item.label, enabled: false }
    case 'session':
      return { label: item.label, click: () => deeds.openSession(item.sessionId) }
    default:
      return { label: item.label, click: deeds[item.type] }
  }
}

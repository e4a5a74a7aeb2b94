import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import type { Engine } from '../engine'
import { type TrayFacts, type TrayItem, trayMenu, trayTip } from './tray-menu'

/** packaging/icons/32x32.png, which is not among the files of an installed app. */
const trayIcon = `data:image/png;base64,${[
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAABmJLR0QA/wD/AP+gvaeTAAADyElEQVRYhcWWS0xcVRzGf+fOZRhew8sBihTFUi',
  'laSwiJbZrYgKi40MTEJi6asnFRN4qPJjboRndGExu1Lm1S0Zhg1ERNGtOHLtqOSW20xtjgUGDKe3jMOAWGGeb8XcxAB+ZeoMwQv+S/uOfknu87',
  '3/lOzh/+ZyirweqWZ/MdrsgTiK5XGDmZEIiSKKj+eMR1bvS37+c3EqB2Hmx/HeFtoCQTYgsEEfXuLe+5k4BYCVA1B9o+B3Uky8Rr0TPsvdC5LM',
  'KxPLpzf+sboI5vMznAvqKaB4LhkQEvJB2obmnJV47CEbJvux1mlSN67/CVKwsGAEZhOyIliLC2HE6TiuZGHE4zbS6DKpW4+TiAmRAkDSJiKbXu',
  'mVbuf/oxbo9N8sfHXzI/OZ0VC5SWBuDHhAOiC+3Uzt4YRMfiFO6oYP9bxyh/eFdWXBCFG5IhLKqqbRWk1Urp/MQU03/342lqwFlUQNWBJuKxJY',
  'I+f2KxrTog6pfwmP/nhAPoddWGfEN43zlF6OYtlFI8eLiDvS8+j1Jq6y6gATAAtAYRWbciMyGufvAZi6EwANUHmyncWbXhf3alE/zLIdQb2plb',
  '6qb5lU5yi4sAGL10jfDQCIje4hmoFAFasx59Sf19NHcdJbfYjYjQ13uWgR8uopSissKD6XCk/ROLxZgITNnzJzdsrozYOOBpaqS5qxMjx2Rpbo',
  'HfT/Uw9WcfAMdffomjLxy2JXnv5Cd80futjYIUB7S2t7F0Tx1GjsntkQmufXiaufGUXW10CSSRLcupzTrg++YnQj4/ges3iC9GV829/9GnnPmq',
  '1+YIlpgIBOzFbTYDS5FFysf9HHuu0X4xC3x9eYjxdYK96QwopThyqI76He67EpB7yKC7Z9b2CDadgY5HysjXYUZHwnclIB94am8pZ69bvx1rMq',
  'AtA1VWkMNrHbW4XWb65CbwUHUBV28GmQrH0ieTrZB5hz9dQUOlk9MX/VsiX8Zuj5PAv9G0cSWpIbRwYE9lLt1P3oOhLPvWTUNLPm/OxfhrLLJW',
  'AWDzFpgKXm3zZEwOYChFV5sH02Cdt0D0qoTVljrxDszjHUjroreM2pIc+qcW7wwoQisCROs+UnbrC0TwBdZYlm2I9EHyCPIWC84jOpjFnm+jmi',
  'mIhi9AsiMKh8dirpLyKEhHIo3bXfrEpH/w0ooAgEhw+ldXcfkukH3bZjuAkjPBQV/38ueqVyQSmv7O5S4LCTwK5GWZekZQJ0JDvm5SLr3lPaup',
  'qckLGc52hxi7RajMhFUpJuJK/1Oso+eHh4cXMllrW/Afk9aVoE4/GGMAAAAASUVORK5CYII=',
].join('')}`

export interface TrayActions {
  open(): void
  openSession(sessionId: string): void
  prompt(): void
  quit(): void
}

const refreshMs = 300

/** An icon in the tray while the app may run without its window. Desktops without a tray show nothing. */
export function keepTray(engine: Engine, actions: TrayActions): void {
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
    tray ??= open(actions)
    const facts = factsOf(engine)
    tray.setToolTip(trayTip(facts))
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(facts).map((item) => entryOf(item, actions))))
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

function open({ open: show }: TrayActions): Tray {
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

function entryOf(item: TrayItem, actions: TrayActions): MenuItemConstructorOptions {
  switch (item.type) {
    case 'separator':
      return { type: 'separator' }
    case 'heading':
      return { label: item.label, enabled: false }
    case 'session':
      return { label: item.label, click: () => actions.openSession(item.sessionId) }
    default:
      return { label: item.label, click: actions[item.type] }
  }
}

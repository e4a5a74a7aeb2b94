import { type BrowserWindow, dialog } from 'electron'
import type { CallName } from '../src-preload/contract/ipc'

/** How long after a key or a click a call may still come from it: a menu opens, a form is checked. */
const recentMs = 5_000

const meant = new Set(['mouseDown', 'rawKeyDown', 'keyDown', 'touchStart', 'gestureTap'])

/**
 * Whether a person is at the window. A script in the page can make calls and events, but no input that the main process
 * sees; where none came, as with some screen readers, a box of the operating system asks instead.
 */
export function watchGestures(window: BrowserWindow): { confirm(what: string): Promise<boolean> } {
  let latest = Number.NEGATIVE_INFINITY
  window.webContents.on('input-event', (_event, { type }) => {
    if (meant.has(type)) latest = performance.now()
  })
  return {
    confirm: async (what) => {
      if (performance.now() - latest < recentMs) return true
      const { response } = await dialog.showMessageBox(window, {
        type: 'question',
        message: what,
        detail: 'No key or click led to this. If it was not you, say no.',
        buttons: ['No', 'Yes, it was me'],
        defaultId: 0,
        cancelId: 0,
      })
      return response === 1
    },
  }
}

/** What a call does that only a person may decide, in words; `null` for everything else. */
export function personalMatter(name: CallName, input: unknown): string | null {
  const { answer, mode, defaultMode, sandbox, sandboxHosts, verdict } = (input ?? {}) as {
    answer?: { decision?: string }
    mode?: string
    defaultMode?: string
    sandbox?: boolean
    sandboxHosts?: string[]
    verdict?: string
  }
  if (name === 'question.answer' && answer?.decision?.startsWith('allow')) return 'Allow what the agent asks for?'
  if (name === 'session.update' && mode === 'all') return 'Allow everything in this session, without being asked?'
  if (name === 'settings.update' && defaultMode === 'all')
    return 'Allow everything in new sessions, without being asked?'
  if (name === 'question.answer' && answer?.decision === 'apply') return 'Apply what a trial has changed?'
  if (name === 'session.update' && sandbox === true) return 'Let ordinary commands run unasked, in a sandbox?'
  if (name === 'settings.update' && sandboxHosts !== undefined) return 'Change what commands in a sandbox can reach?'
  if (name === 'app.copy') return 'Copy a text to the clipboard?'
  if (name === 'app.paste') return 'Read what is on the clipboard?'
  if (name === 'mcp.save' || name === 'mcp.test') return 'Start an MCP server? Its command will be run.'
  if (name === 'mcp.signIn') return 'Open the browser to sign in at an MCP server?'
  if (name === 'mcp.decideProject' && verdict === 'trust')
    return 'Trust the MCP servers of this project? Their commands will be run.'
  if (name === 'backend.add' || name === 'backend.connect') return 'Connect to another machine?'
  if (name === 'backend.answer') return 'Answer what ssh asks?'
  if (name === 'receipt.undo') return 'Undo or redo what a call changed?'
  if (name === 'receipt.forget') return 'Forget what is kept for undo?'
  return null
}

import { z } from 'zod'
import type { ProcessInfo } from '../../../src-preload/contract/processes'
import type { Access } from '../../approval/types'
import type { ProcessTable } from '../../nodes/process-table'
import type { ShellNode } from '../../nodes/shell/shell-node'
import type { SharedPane } from '../../nodes/tmux/pane'
import { unreadLine } from '../../nodes/typed-line'
import { inputShape } from '../input'
import { jsonContent } from '../json-result'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '../tool'
import { paneReadAccess, withoutBlankEnds } from './capture-pane'
import { keySequence, UnknownKey } from './key-names'
import { delayFields, pause, readDelay } from './pane-delay'
import { isRunning, screenOf, typeInto } from './process-control'
import { areHarmless, typingAccess } from './typing-access'

/** The usual number of lines of a screen, for a terminal that no longer has one. */
const usualRows = 30

const { delay } = delayFields
const target = z.string().min(1).describe('sessionId of a command, id of a terminal, or a tmux pane such as %1')
const node = z.string().min(1).optional().describe('Whose tmux, where it is another machine’s')

const captureShape = inputShape(
  () =>
    z.object({
      target: target.optional(),
      node,
      history: z.number().int().min(0).max(100_000).optional().describe('Lines above the screen'),
      delay,
    }),
  readDelay,
)
const keysShape = inputShape(
  () =>
    z.object({
      target,
      node,
      text: z.string().optional().describe('Typed first, as it is'),
      keys: z.array(z.string().min(1)).optional().describe('Then these: C-c, Up, F5, q'),
      enter: z.boolean().optional().describe('Then Enter'),
      delay,
    }),
  (input) => {
    readDelay(input)
    if (!input.text && !input.keys?.length && !input.enter)
      throw new ToolFailure('InvalidArgs', 'Give `text`, `keys` or `enter`')
    // tmux would type an unknown key name letter by letter.
    sequenceOf(input)
  },
)

type KeysInput = ReturnType<typeof keysShape.parse>

interface TerminalToolDeps {
  table: ProcessTable
  /** The machine of this name, or the one that commands run on; `null` if it cannot be reached. */
  machine(node?: string): ShellNode | null
}

/** Reads any live terminal of the deck, and tmux panes if there is tmux. */
export function createTerminalCapture(deps: TerminalToolDeps): Tool<ReturnType<typeof captureShape.parse>> {
  const { table } = deps
  return {
    description:
      'See what a terminal shows: one of yours, of the user, or a tmux pane. Without a target: which there are.',
    ...captureShape,
    readOnly: true,
    access(input, context) {
      const place = placeOf(deps, input.node)
      if (input.target === undefined) return quietly(place.id, context)
      const row = findTerminal(table, input.target)
      if (!row) return paneReadAccess(input.target, place, context)
      if (isOwn(row, context.sessionId)) return quietly(row.node, context, row)
      return { ...quietly(row.node, context, row), action: 'exec', toolKey: 'terminal.read', shown: row.title }
    },
    gist: (input) => (input.target === undefined ? 'which terminals there are' : titleOf(table, input.target)),
    async run(input, { signal, sessionId, workspace }) {
      await pause(readDelay(input), signal)
      const place = placeOf(deps, input.node)
      if (input.target === undefined) return list(table, place.paneFor(workspace), sessionId)
      const { history = 0 } = input
      const row = findTerminal(table, input.target)
      const text = row
        ? await captureTerminal(table, row, history)
        : await capturePane(place.paneFor(workspace), input.target, history)
      return shown(row, { target: input.target, ...(row && { running: isRunning(row) }), screen: text }, text)
    },
  }
}

/** Types into any of them. The gate judges it like a typed command. */
export function createTerminalKeys(deps: TerminalToolDeps): Tool<KeysInput> {
  const { table } = deps
  /** What was typed into tmux panes and not sent with Enter yet, by target. */
  const unread = new Map<string, string>()
  return {
    description: 'Type into a live terminal or a tmux pane: text, then keys, then Enter.',
    ...keysShape,
    readOnly: false,
    access(input, context) {
      const row = findTerminal(table, input.target)
      const { text = '', keys = [], enter } = input
      const quiet = quietly(row?.node ?? placeOf(deps, input.node).id, context, row)
      const mine = row !== null && isOwn(row, context.sessionId)
      if (mine && text === '' && !enter && areHarmless(keys)) return quiet
      const before = row ? table.typedLine(row.id) : (unread.get(input.target) ?? '')
      const shownKeys = [text, ...keys].filter(Boolean).join(' ')
      return typingAccess(shownKeys, { sent: sequenceOf(input), before }, quiet, row ?? undefined)
    },
    gist: ({ target: where, text, keys = [], enter }) =>
      [titleOf(table, where), ...(text ? [JSON.stringify(text)] : []), ...keys, ...(enter ? ['Enter'] : [])].join(' '),
    async run(input, { signal, workspace }) {
      await pause(readDelay(input), signal)
      const row = findTerminal(table, input.target)
      if (row) await typeInto(table, row, sequenceOf(input))
      else {
        await typeIntoPane(placeOf(deps, input.node).paneFor(workspace), input)
        unread.set(input.target, unreadLine(unread.get(input.target) ?? '', sequenceOf(input)))
      }
      return shown(row, { target: input.target, sent: true }, '')
    },
  }
}

const titleOf = (table: ProcessTable, where: string): string => table.get(where)?.title ?? where

function placeOf({ machine }: TerminalToolDeps, name: string | undefined): ShellNode {
  const place = machine(name)
  if (!place) throw new ToolFailure('NotFound', `Node ${name} is not connected, or has no tmux`)
  return place
}

const quietly = (where: string, { workspace }: ToolContext, row?: ProcessInfo | null): Access => ({
  action: 'read',
  node: where,
  cwd: row?.cwd ?? workspace,
  workspace,
})

function sequenceOf({ text = '', keys = [], enter }: KeysInput): string {
  try {
    return text + keys.map(keySequence).join('') + (enter ? keySequence('Enter') : '')
  } catch (error) {
    if (error instanceof UnknownKey) throw new ToolFailure('InvalidArgs', `\`keys\`: ${error.message}`)
    throw error
  }
}

async function list(table: ProcessTable, pane: SharedPane | null, sessionId: string): Promise<ToolResult> {
  const terminals = liveTerminals(table, sessionId).map(({ id, title, node: where, byUser }) => ({
    target: id,
    title,
    node: where,
    byUser,
  }))
  const panes = pane ? await pane.targets() : []
  return { content: jsonContent({ terminals, ...(panes.length > 0 && { tmux: panes }) }) }
}

async function capturePane(pane: SharedPane | null, where: string, history: number): Promise<string> {
  const lines = history > 0 ? { start: String(-history) } : {}
  const { text } = await paneNamed(pane, where).capture({ target: where, joinWrapped: true, ...lines })
  return withoutBlankEnds(text)
}

const typeIntoPane = (pane: SharedPane | null, { target: where, text, keys, enter }: KeysInput): Promise<void> =>
  paneNamed(pane, where).sendKeys({
    target: where,
    text,
    keys,
    enter,
  })

function paneNamed(pane: SharedPane | null, where: string): SharedPane {
  if (!pane) throw new ToolFailure('NotFound', `There is no terminal ${JSON.stringify(where)}, and no tmux here`)
  return pane
}

const shown = (row: ProcessInfo | null, result: object, text: string): ToolResult => ({
  content: jsonContent(result),
  display: row
    ? { type: 'process', processId: row.id, command: row.command, bytes: row.bytes }
    : { type: 'text', text },
})

/** The running terminals of a session: its agent's and its user's. */
const liveTerminals = (table: ProcessTable, sessionId: string): ProcessInfo[] =>
  table.list(sessionId).filter((row) => row.tty && isRunning(row))

/** Started by the agent itself; in any other terminal somebody may have typed a secret. */
const isOwn = (row: ProcessInfo, sessionId: string): boolean => row.sessionId === sessionId && !row.byUser

/** The terminal with this id, of any session; `null` if there is none, since it may be the name of a tmux pane. */
function findTerminal(table: ProcessTable, target: string): ProcessInfo | null {
  const row = table.get(target)
  if (row && !row.tty) throw new ToolFailure('ExecutionFailed', `${target} runs without a terminal`)
  return row ?? null
}

/** The content of the screen, with `history` lines of scrollback before it. */
async function captureTerminal(table: ProcessTable, row: ProcessInfo, history: number): Promise<string> {
  if (row.status === 'running' && history === 0) return (await screenOf(table, row)).text
  const { totalLines } = await table.lines(row.id, 0, 1)
  const from = Math.max(0, totalLines - usualRows - history)
  return (await table.lines(row.id, from, totalLines - from)).lines.join('\n').trimEnd()
}

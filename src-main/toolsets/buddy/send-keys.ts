import { z } from 'zod'
import type { Access } from '../../approval/types'
import type { ShellNode } from '../../nodes/shell/shell-node'
import { unreadLine } from '../../nodes/typed-line'
import { inputShape } from '../../tools/input'
import { keySequence, UnknownKey } from '../../tools/terminals/key-names'
import { delayFields, pause, readDelay } from '../../tools/terminals/pane-delay'
import { isOwnPane, paneOf } from '../../tools/terminals/panes'
import { areHarmless, typingAccess } from '../../tools/terminals/typing-access'
import { textContent } from '../../tools/text-content'
import { type Tool, ToolFailure } from '../../tools/tool'

const shape = inputShape(
  () =>
    z.object({
      target: z.string().min(1).optional().describe('tmux -t; default: the active pane'),
      keys: z.array(z.string().min(1)).optional().describe('tmux key names: C-c, C-z, Enter, Up, Down'),
      literal_text: z.string().optional().describe('Typed as it is, before the keys'),
      enter: z.boolean().optional().describe('Press Enter after everything else'),
      ...delayFields,
    }),
  (input) => {
    readDelay(input)
    if (!input.literal_text && !input.keys?.length && !input.enter)
      throw new ToolFailure('InvalidArgs', 'give `keys`, `literal_text` or `enter`')
  },
)

type KeysInput = ReturnType<typeof shape.parse>

/** Types into a tmux pane: the text, then the keys, then Enter. */
export function createSendKeys(machine: () => ShellNode): Tool<KeysInput> {
  /** What was typed of a line that is not finished, by the name of the pane. */
  const unread = new Map<string, string>()
  return {
    description: 'Type into a tmux pane: text, then keys, then Enter. For prompts, menus, and C-c.',
    ...shape,
    readOnly: false,
    access: (input, { workspace }) => keysAccess(input, machine(), workspace, unread.get(keyOf(input)) ?? ''),
    gist: typedWords,
    async run(input, { signal, workspace }) {
      await pause(readDelay(input), signal)
      const { target, literal_text: text, keys, enter } = input
      await paneOf(machine(), workspace).sendKeys({
        target,
        text,
        keys,
        enter,
      })
      unread.set(keyOf(input), unreadLine(unread.get(keyOf(input)) ?? '', charactersOf(input)))
      return { content: textContent(`sent to ${target ?? 'the active pane'}: ${typedWords(input)}`) }
    },
  }
}

/** The agent may end what runs in its own pane; what runs in others is the user's. */
function keysAccess(input: KeysInput, place: ShellNode, workspace: string, before: string): Access {
  const where = { node: place.id, cwd: workspace, workspace }
  const { target, literal_text: text = '', keys = [], enter } = input
  const own = isOwnPane(target, place)
  if (own && text === '' && !enter && areHarmless(keys)) return { action: 'read', ...where }
  return typingAccess([text, ...keys].filter(Boolean).join(' '), { sent: charactersOf(input), before }, where)
}

/** tmux types a name that it does not know letter by letter. */
const charactersOf = ({ literal_text: text = '', keys = [], enter }: KeysInput): string =>
  text + keys.map((key) => knownSequence(key) ?? key).join('') + (enter ? '\r' : '')

function knownSequence(key: string): string | null {
  try {
    return keySequence(key)
  } catch (error) {
    if (error instanceof UnknownKey) return null
    throw error
  }
}

const keyOf = ({ target = '' }: KeysInput): string => target

const typedWords = ({ literal_text: text, keys = [], enter }: KeysInput): string =>
  [...(text ? [JSON.stringify(text)] : []), ...keys, ...(enter ? ['Enter'] : [])].join(' ')

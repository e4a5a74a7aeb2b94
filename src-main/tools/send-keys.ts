import { z } from 'zod'
import type { Backend } from '../nodes/backend'
import { inputShape } from './input'
import { words } from './miclaw-files'
import { onBackend, paneOf } from './on-backend'
import { delayFields, pause, readDelay } from './pane-delay'
import { type Tool, ToolFailure } from './tool'
import { areHarmless, typingAccess } from './typing-access'

const shape = inputShape(
  z.object({
    target: z.string().min(1).optional().describe('tmux -t; default: the active pane'),
    keys: z.array(z.string().min(1)).optional().describe('tmux key names: C-c, C-z, Enter, Up, Down'),
    literal_text: z.string().optional().describe('Typed as it is, before the keys'),
    enter: z.boolean().optional().describe('Press Enter after everything else'),
    ...delayFields,
  }),
)

type KeysInput = ReturnType<typeof shape.parse>

/** Types into a pane of tmux: the text, then the keys, then Enter. */
export function createSendKeys(backend: () => Backend): Tool<KeysInput> {
  return {
    description: 'Type into a tmux pane: text, then keys, then Enter. For prompts, menus, and C-c.',
    schema: shape.schema,
    parse(raw) {
      const input = shape.parse(raw)
      readDelay(input)
      if (!input.literal_text && !input.keys?.length && !input.enter)
        throw new ToolFailure('InvalidArgs', 'give `keys`, `literal_text` or `enter`')
      return input
    },
    readOnly: false,
    access: (input, { workspace }) => keysAccess(input, { node: backend().node, cwd: workspace, workspace }),
    gist: typedWords,
    async run(input, { signal }) {
      await pause(readDelay(input), signal)
      const { target, literal_text: text, keys, enter } = input
      await onBackend(() =>
        paneOf(backend()).sendKeys({
          ...(target !== undefined && { target }),
          ...(text !== undefined && { text }),
          ...(keys && { keys }),
          ...(enter && { enter }),
        }),
      )
      return { content: words(`sent to ${target ?? 'the active pane'}: ${typedWords(input)}`) }
    },
  }
}

function keysAccess(input: KeysInput, place: Parameters<typeof typingAccess>[1]) {
  const { literal_text: text = '', keys = [], enter } = input
  if (text === '' && !enter && areHarmless(keys)) return { action: 'read' as const, ...place }
  return typingAccess([text, ...keys].filter(Boolean).join(' '), place)
}

const typedWords = ({ literal_text: text, keys = [], enter }: KeysInput): string =>
  [...(text ? [JSON.stringify(text)] : []), ...keys, ...(enter ? ['Enter'] : [])].join(' ')

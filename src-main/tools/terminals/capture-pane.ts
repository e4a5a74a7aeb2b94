import { z } from 'zod'
import type { Access } from '../../approval/types'
import type { ShellNode } from '../../nodes/shell/shell-node'
import { clipTail } from '../characters'
import { inputShape } from '../input'
import { textContent } from '../text-content'
import type { Tool, ToolContext } from '../tool'
import { delayFields, pause, readDelay } from './pane-delay'
import { isOwnPane, paneOf } from './panes'

const paneCharacters = 8000

const line = z.union([z.number().int(), z.string().regex(/^(?:-|-?\d{1,9})$/, 'is a line number, or "-"')]).optional()

const shape = inputShape(
  () =>
    z.object({
      target: z.string().min(1).optional().describe('tmux -t; default: the active pane'),
      start: line.describe('First line; "-": beginning of history'),
      end: line.describe('Last line; "-": end of the visible area'),
      join_wrapped_lines: z.boolean().optional().describe('Default true'),
      preserve_trailing_spaces: z.boolean().optional(),
      include_escape_sequences: z.boolean().optional(),
      escape_non_printable: z.boolean().optional(),
      include_alternate_screen: z.boolean().optional(),
      ...delayFields,
    }),
  readDelay,
)

type CaptureInput = ReturnType<typeof shape.parse>

/** Reads the content of a tmux pane. */
export function createCapturePane(machine: () => ShellNode): Tool<CaptureInput> {
  return {
    description:
      'Capture what a tmux pane shows, perhaps after a delay: for programs that run on, and full-screen ones.',
    ...shape,
    readOnly: true,
    access: ({ target }, context) => paneReadAccess(target, machine(), context),
    gist: ({ target = 'the active pane' }) => target,
    async run(input, { signal, workspace }) {
      await pause(readDelay(input), signal)
      const { text, fellBack } = await paneOf(machine(), workspace).capture(requestOf(input))
      const shown = input.preserve_trailing_spaces ? text : withoutBlankEnds(text)
      const clipped = clipTail(shown, paneCharacters)
      const notice = fellBack ? '\n[no alternate screen is active: this is the main one]' : ''
      return { content: textContent(clipped + notice), display: { type: 'text', text: clipped } }
    },
  }
}

/** The content of the agent's own pane is not secret. */
export function paneReadAccess(target: string | undefined, place: ShellNode, { workspace }: ToolContext): Access {
  const where = { node: place.id, workspace, cwd: workspace }
  if (isOwnPane(target, place)) return { action: 'read', ...where }
  return {
    action: 'exec',
    ...where,
    toolKey: 'terminal.read',
    shown: target ?? 'The pane that Deckhand was started in',
  }
}

const requestOf = (input: CaptureInput) => ({
  target: input.target,
  ...(input.start !== undefined && { start: String(input.start) }),
  ...(input.end !== undefined && { end: String(input.end) }),
  joinWrapped: input.join_wrapped_lines ?? true,
  keepTrailingSpaces: input.preserve_trailing_spaces ?? false,
  escapes: input.include_escape_sequences ?? false,
  escapeNonPrintable: input.escape_non_printable ?? false,
  alternateScreen: input.include_alternate_screen ?? false,
})

/** Removes the blanks that joining keeps at line ends, and the empty lines below the last one. */
export const withoutBlankEnds = (text: string): string => text.replace(/ +$/gm, '').trimEnd()

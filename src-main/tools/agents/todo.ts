import { z } from 'zod'
import type { TodoItem } from '../../../src-preload/contract/tool-calls'
import { inputShape } from '../input'
import { jsonContent } from '../json-result'
import type { Tool } from '../tool'

const shape = inputShape(() =>
  z.object({
    items: z.array(z.object({ text: z.string(), status: z.enum(['pending', 'active', 'done']) })),
  }),
)

type TodoInput = ReturnType<typeof shape.parse>

/** The agent's plan, which is shown to the user. */
export function createTodoTool(node: string, setTodo: (sessionId: string, items: TodoItem[]) => void): Tool<TodoInput> {
  return {
    description: 'Replace your list of steps, which the user sees. For work of several steps; keep one item active.',
    ...shape,
    readOnly: false,
    access: (_, { workspace }) => ({ action: 'read', node, workspace, cwd: workspace }),
    gist: ({ items }) =>
      items.find(({ status }) => status === 'active')?.text ?? `${countDone(items)} of ${items.length} done`,
    async run({ items }, { sessionId }) {
      setTodo(sessionId, items)
      return { content: jsonContent({ items: items.length, done: countDone(items) }), display: { type: 'todo', items } }
    },
  }
}

const countDone = (items: TodoItem[]): number => items.filter(({ status }) => status === 'done').length

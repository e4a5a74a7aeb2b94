import { z } from 'zod'
import { nearest } from '../../nearest'
import { inputShape } from '../../tools/input'
import { jsonContent } from '../../tools/json-result'
import { type Tool, ToolFailure } from '../../tools/tool'

/** A rarely needed tool: requests only contain one line about it until it is asked for. */
export interface RareTool {
  /** What it is for, in a few words. */
  line: string
  tool: Tool
}

const shape = inputShape(() => z.object({ names: z.array(z.string()).min(1) }))
/** How many sessions' requested tools are remembered; a forgotten session asks again. */
const mostSessions = 1000

/**
 * Keeps rare tools out of requests until a session asks for them; a call by name works without asking. `rare` is read
 * each time, since servers come and go.
 */
export function createShelf(rare: () => ReadonlyMap<string, RareTool>) {
  const taken = new Map<string, Set<string>>()

  const take = (sessionId: string, name: string): void => {
    const names = taken.get(sessionId) ?? new Set()
    taken.delete(sessionId)
    taken.set(sessionId, names.add(name))
    const oldest = taken.size > mostSessions ? taken.keys().next().value : undefined
    if (oldest !== undefined) taken.delete(oldest)
  }

  const more: Tool<ReturnType<typeof shape.parse>> = {
    get description() {
      const lines = [...rare()].map(([name, { line }]) => `${name} (${line})`)
      return `More tools, there once you ask for them by name: ${lines.join(', ')}.`
    },
    listing: () => new Map([...rare()].map(([name, { line }]) => [name, line])),
    ...shape,
    readOnly: false,
    access: (_, { workspace }) => ({ action: 'read', node: 'local', workspace, cwd: workspace }),
    gist: ({ names }) => names.join(', '),
    async run({ names }, { sessionId }) {
      const tools = names.map((name) => {
        const found = rare().get(name)
        if (!found) {
          const [near] = nearest(name, rare().keys(), 1)
          throw new ToolFailure(
            'NotFound',
            `There is no further tool named ${JSON.stringify(name)}.${near ? ` Did you mean ${near}?` : ''}`,
          )
        }
        return { name, description: found.tool.description, parameters: found.tool.schema }
      })
      for (const name of names) take(sessionId, name)
      return { content: jsonContent({ tools }) }
    },
  }

  return {
    more,
    /** The rare tools in callable form: one that was called once stays in the session's requests. */
    tools: () =>
      new Map<string, Tool>(
        [...rare()].map(([name, { tool }]) => [
          name,
          {
            ...tool,
            run: (input, context) => {
              take(context.sessionId, name)
              return tool.run(input, context)
            },
          },
        ]),
      ),
    takenBy: (sessionId: string): ReadonlySet<string> => taken.get(sessionId) ?? new Set(),
  }
}

import { z } from 'zod'
import { inputShape } from '../../tools/input'
import { createTimeTool, timeFormats } from '../../tools/time'
import type { Tool } from '../../tools/tool'

const shape = inputShape(() => z.object({ format: z.enum(timeFormats).optional().describe('Default epoch') }))

/** The clock of this machine, whichever one the commands run on; always in UTC. */
export function createBuddyTime(node: string, clock: () => number): Tool<ReturnType<typeof shape.parse>> {
  const time = createTimeTool(node, clock)
  return {
    ...time,
    ...shape,
    description: 'The current wall-clock time of the harness, not of the remote shell.',
    gist: ({ format = 'epoch' }) => format,
    run: ({ format = 'epoch' }, context) => time.run({ format, zone: 'UTC' }, context),
  }
}

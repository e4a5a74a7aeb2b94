import { OwnFileError } from '../agents/own-path'
import { ChannelError } from '../channels/types'
import { GatewayError } from '../gateway/errors'
import { ScheduleError } from '../schedule/types'
import { SubAgentError } from '../subagents/subagents'
import { jsonContent } from './json-result'
import { type Tool, type ToolContext, ToolFailure } from './tool'

/** A tool whose result is one value; the vocabulary decides how it is wrapped. */
export interface ObjectTool<Input = unknown> extends Omit<Tool<Input>, 'run'> {
  execute(input: Input, context: ToolContext): Promise<unknown>
}

/** Returns the value itself. */
export const plain = <Input>(tool: ObjectTool<Input>): Tool<Input> => dress(tool, (value) => value)

/** Wraps the value like the gateway's tools: `{ok, result}`. */
export const wrapped = <Input>(tool: ObjectTool<Input>): Tool<Input> => dress(tool, (result) => ({ ok: true, result }))

function dress<Input>({ execute, ...tool }: ObjectTool<Input>, form: (value: unknown) => unknown): Tool<Input> {
  return {
    ...tool,
    async run(input, context) {
      return { content: jsonContent(form(await translateErrors(() => execute(input, context))) as object) }
    },
  }
}

/** Turns refusals of services into messages for a model; anything else is a bug and is rethrown. */
export async function translateErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OwnFileError) throw new ToolFailure(error.kind, error.message)
    if (error instanceof ScheduleError) throw new ToolFailure('InvalidArgs', error.message)
    if (error instanceof ChannelError) throw new ToolFailure('ExecutionFailed', error.message)
    if (error instanceof SubAgentError) throw new ToolFailure(error.kind, error.message)
    if (error instanceof GatewayError)
      throw new ToolFailure(gatewayKinds.get(error.code) ?? 'ExecutionFailed', error.message)
    throw error
  }
}

const gatewayKinds = new Map<number, ToolFailure['kind']>([
  [400, 'InvalidArgs'],
  [403, 'PermissionDenied'],
  [404, 'NotFound'],
  [504, 'Timeout'],
])

/** Throws if this run of Deckhand does not have the service. */
export function present<Service>(service: Service | null | undefined): Service {
  if (service === null || service === undefined) throw new ToolFailure('ExecutionFailed', 'Gateway context unavailable')
  return service
}

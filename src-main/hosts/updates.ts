import { z } from 'zod'

/**
 * What an agent tells about its turn, as far as it is used here. Read leniently, since agents add to it: what is not known
 * is left out, and a part that is malformed takes nothing else with it.
 */

const words = z.string()
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(undefined)

/** Members of a list that can be read; the others are left out. */
const listOf = <Schema extends z.ZodType>(schema: Schema, most: number) =>
  z.array(z.unknown()).transform((items) =>
    items.slice(0, most).flatMap((item) => {
      const read = schema.safeParse(item)
      return read.success ? [read.data] : []
    }),
  )

/** Two hundred schemas, made with the first agent: the start of the app does not need them. */
function makeSchemas() {
  const resource = z.object({
    uri: words,
    mimeType: maybe(words),
    text: maybe(words),
    blob: maybe(words),
  })

  const block = z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: words }),
    z.object({ type: z.literal('image'), data: words, mimeType: words }),
    z.object({ type: z.literal('audio'), mimeType: words }),
    z.object({ type: z.literal('resource_link'), name: words, uri: words }),
    z.object({ type: z.literal('resource'), resource }),
  ])

  const toolContent = z.discriminatedUnion('type', [
    z.object({ type: z.literal('content'), content: block }),
    z.object({ type: z.literal('diff'), path: words, oldText: maybe(words), newText: words }),
    z.object({ type: z.literal('terminal'), terminalId: words }),
  ])

  const location = z.object({ path: words, line: maybe(z.number()) })

  /**
   * What agents say besides the protocol: output of a command that they run by themselves, of which those that take our
   * word for it send what is new in each update.
   */
  const reported = z.object({
    terminal_output: maybe(z.object({ data: words })),
    terminal_output_delta: maybe(z.object({ data: words })),
    terminal_exit: maybe(z.object({ exit_code: maybe(z.number()) })),
    /** goose and Qwen Code say here which tool it is. */
    toolName: maybe(words),
    /** Qwen Code tells of a call before it knows what that is given: `preparing`. */
    phase: maybe(words),
    goose: maybe(z.object({ toolCall: maybe(z.object({ toolName: maybe(words), extensionName: maybe(words) })) })),
  })

  /** The fields of a tool call; each update carries those that have changed. */
  const toolCallFields = z.object({
    toolCallId: words.min(1).max(1000),
    title: maybe(words),
    name: maybe(words),
    kind: maybe(words),
    status: maybe(z.enum(['pending', 'in_progress', 'completed', 'failed'])),
    content: maybe(listOf(toolContent, 200)),
    locations: maybe(listOf(location, 200)),
    rawInput: z.unknown().optional(),
    rawOutput: z.unknown().optional(),
    _meta: maybe(reported),
  })

  const choice = z.object({ value: words, name: words, description: maybe(words) })
  const choices = listOf(z.union([choice, z.object({ name: words, options: listOf(choice, 500) })]), 500)

  const configOption = z.object({
    id: words,
    name: words,
    category: maybe(words),
    type: words,
    currentValue: z.union([words, z.boolean()]),
    options: maybe(choices),
  })

  const command = z.object({
    name: words,
    description: maybe(words),
    input: maybe(z.object({ hint: maybe(words) })),
  })

  const update = z.discriminatedUnion('sessionUpdate', [
    z.object({ sessionUpdate: z.literal('user_message_chunk') }),
    z.object({ sessionUpdate: z.literal('agent_message_chunk'), content: block }),
    z.object({ sessionUpdate: z.literal('agent_thought_chunk'), content: block }),
    toolCallFields.extend({ sessionUpdate: z.literal('tool_call') }),
    toolCallFields.extend({ sessionUpdate: z.literal('tool_call_update') }),
    z.object({
      sessionUpdate: z.literal('plan'),
      entries: listOf(z.object({ content: words, status: words }), 200),
    }),
    z.object({ sessionUpdate: z.literal('available_commands_update'), availableCommands: listOf(command, 500) }),
    z.object({ sessionUpdate: z.literal('current_mode_update'), currentModeId: words }),
    z.object({ sessionUpdate: z.literal('config_option_update'), configOptions: listOf(configOption, 100) }),
    z.object({ sessionUpdate: z.literal('session_info_update'), title: maybe(words) }),
    z.object({
      sessionUpdate: z.literal('usage_update'),
      used: z.number().nonnegative(),
      size: z.number().nonnegative(),
      cost: maybe(z.object({ amount: z.number().nonnegative(), currency: words })),
    }),
    z.object({
      sessionUpdate: z.literal('notice'),
      title: words,
      description: maybe(words),
    }),
  ])

  const notification = z.object({ sessionId: words, update: z.unknown() })

  return { block, toolCallFields, configOption, update, notification }
}

type Schemas = ReturnType<typeof makeSchemas>
export type HostedUpdate = z.output<Schemas['update']>
export type HostedToolFields = z.output<Schemas['toolCallFields']>
export type HostedBlock = z.output<Schemas['block']>
export type HostedConfigOption = z.output<Schemas['configOption']>

let made: Schemas | undefined
const schemas = (): Schemas => {
  made ??= makeSchemas()
  return made
}

/** Throws for what is no tool call. */
export const readToolCall = (value: unknown): HostedToolFields => schemas().toolCallFields.parse(value)

/** Null for one that cannot be read. */
export const readConfigOption = (value: unknown): HostedConfigOption | null =>
  schemas().configOption.safeParse(value).data ?? null

/** The update and the session it is for; `update: null` for one that is not known or cannot be read. */
export function readUpdate(params: unknown): { sessionId: string; update: HostedUpdate | null } | null {
  const { notification, update } = schemas()
  const read = notification.safeParse(params)
  if (!read.success) return null
  const known = update.safeParse(read.data.update)
  return { sessionId: read.data.sessionId, update: known.success ? known.data : null }
}

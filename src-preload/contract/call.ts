import { z } from 'zod'

export interface CallSpec {
  input: z.ZodType
  output: unknown
}

/** Ties a schema for the input to the type of the output, which only the compiler sees. */
export const call =
  <Output>() =>
  <Input extends z.ZodType>(input: Input) => ({ input, output: undefined as Output })

/** Of a session, a message, a question and the like. */
export const id = z.string().min(1).max(200)

export const none = z.strictObject({})

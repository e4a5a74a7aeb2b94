import { z } from 'zod'
import { longestAddress, type NumberRule, type TextRule } from './field-rules'

/**
 * Who has to be behind a call.
 * - `person`: a key or a click led to it just now, or somebody says yes to `ask` in a box of the operating system. `ask` answers
 *   null for inputs of which nobody has to know.
 * - `box`: it opens a box of the operating system by itself; whoever answers that is a person.
 * - `anyone`: the window may make it by itself, for the reason given.
 */
type Gesture =
  | { by: 'person'; ask: (input: unknown) => string | null }
  | { by: 'box' }
  | { by: 'anyone'; because: string }

export interface CallSpec {
  input: z.ZodType
  output: unknown
  gesture: Gesture
}

/** A schema, or what makes it: there are two hundred calls, and a window begins with five. */
type Given<Input> = Input | (() => Input)

const spec = <Output, Input extends z.ZodType>(given: Given<Input>, gesture: Gesture) => {
  let made: Input | undefined
  return {
    get input(): Input {
      made ??= typeof given === 'function' ? given() : given
      return made
    },
    output: undefined as Output,
    gesture,
  }
}

/** Ties a schema for the input to the type of the output, which only the compiler sees. It needs a person. */
export const call =
  <Output>() =>
  <Input extends z.ZodType>(
    input: Given<Input>,
    ask: string | ((input: z.output<Input>) => string | null) = usualQuestion,
  ) =>
    spec<Output, Input>(input, {
      by: 'person',
      ask: typeof ask === 'string' ? () => ask : (given) => ask(given as z.output<Input>),
    })

/** Changes nothing. */
export const read =
  <Output>() =>
  <Input extends z.ZodType>(input: Given<Input>) =>
    spec<Output, Input>(input, { by: 'anyone', because: onlyReads })

/** Changes something, and the window may make it by itself all the same. */
export const unasked =
  <Output>(because: string) =>
  <Input extends z.ZodType>(input: Given<Input>) =>
    spec<Output, Input>(input, { by: 'anyone', because })

/** The operating system asks by itself. */
export const boxed =
  <Output>() =>
  <Input extends z.ZodType>(input: Given<Input>) =>
    spec<Output, Input>(input, { by: 'box' })

export const onlyReads = 'It only reads.'
const usualQuestion = 'Let the window make this change?'

/** Of a session, a message, a question and the like. */
export const id = z.string().min(1).max(200)

export const webAddress = z.url({ protocol: /^https?$/ }).max(longestAddress)

/** A text that keeps the rule which the form explains. */
export const textBy = ({ pattern, longest, words }: TextRule, text = z.string()) =>
  text.max(longest).regex(pattern, words)

/** A number that keeps the rule which the form explains. */
export const numberBy = ({ least, above, most, whole, words }: NumberRule) => {
  const number = whole ? z.int() : z.number()
  return (above ? number.gt(least, words) : number.min(least, words)).max(most, words)
}

export const none = z.strictObject({})

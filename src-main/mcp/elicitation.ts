import type { ElicitRequestFormParams } from '@modelcontextprotocol/client'
import type { FormField, FormOption, QuestionForm, TextFormat } from '../../src-preload/contract/form'
import { isRecord } from '../is-record'
import { looksSecret } from './server-secrets'
import { shownText } from './tool-definition'

const mostFields = 30
const mostOptions = 100

/** A server's question as the form shown to the user, or why it is not asked. */
export function formFrom(
  asker: string,
  params: ElicitRequestFormParams,
): { title: string; form: QuestionForm } | string {
  const { properties, required = [] } = params.requestedSchema
  const entries = Object.entries(properties)
  if (entries.length > mostFields) return `It asks for ${entries.length} things at once, so nobody was asked`
  const fields = entries.map(([name, schema]) => fieldFrom(name, schema, required.includes(name)))
  if (fields.some((field) => field === null)) return 'It asks in a form that cannot be shown, so nobody was asked'
  const form = { asker, fields: fields.filter((field) => field !== null) }
  // Secrets must not be asked for in a form: the server and the session's record would hold them in clear text.
  const secret = form.fields.find(({ name, label }) => asksForSecret(name) || asksForSecret(label))
  if (secret) return `It asks for a secret (${secret.label}), so nobody was asked`
  return { title: `${asker} asks: ${shownText(params.message, 500)}`, form }
}

const asksForSecret = (words: string): boolean =>
  looksSecret.test(words.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/[^A-Za-z]+/g, '_')) ||
  /pass(?:word|phrase|code)|api.?key|private.?key|card.?number|\bcvv\b|\bpin\b/i.test(words)

function fieldFrom(name: string, schema: unknown, required: boolean): FormField | null {
  if (!isRecord(schema)) return null
  const hint = textOf(schema.description)
  const basics = {
    name,
    label: shownText(textOf(schema.title) || name, 100),
    required,
    ...(hint && { hint: shownText(hint, 300) }),
  }
  const { default: start } = schema
  switch (schema.type) {
    case 'string': {
      const options = optionsFrom(schema)
      if (options) return { ...basics, kind: 'one', options, ...(typeof start === 'string' && { start }) }
      const format = formats.find((each) => each === schema.format)
      return {
        ...basics,
        kind: 'text',
        format,
        ...range(schema.minLength, schema.maxLength),
        ...(typeof start === 'string' && { start }),
      }
    }
    case 'number':
    case 'integer':
      return {
        ...basics,
        kind: 'number',
        whole: schema.type === 'integer',
        ...range(schema.minimum, schema.maximum),
        ...(typeof start === 'number' && { start }),
      }
    case 'boolean':
      return { ...basics, kind: 'yes-no', ...(typeof start === 'boolean' && { start }) }
    case 'array': {
      const options = isRecord(schema.items) ? optionsFrom(schema.items) : null
      if (!options) return null
      const chosen = Array.isArray(start) ? start.filter((each) => typeof each === 'string') : undefined
      return {
        ...basics,
        kind: 'some',
        options,
        ...range(schema.minItems, schema.maxItems),
        start: chosen,
      }
    }
    default:
      return null
  }
}

const formats: readonly TextFormat[] = ['email', 'uri', 'date', 'date-time']

/** Reads choices in each of the notations that the protocol has had. */
function optionsFrom(schema: Record<string, unknown>): FormOption[] | null {
  const titled = Array.isArray(schema.oneOf) ? schema.oneOf : Array.isArray(schema.anyOf) ? schema.anyOf : null
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : []
  const pairs: [unknown, unknown][] | null = titled
    ? titled.map((each) => (isRecord(each) ? [each.const, each.title] : [undefined, undefined]))
    : Array.isArray(schema.enum)
      ? schema.enum.map((value, at) => [value, names[at]])
      : null
  return (
    pairs
      ?.slice(0, mostOptions)
      .flatMap(([value, label]) =>
        typeof value === 'string' ? [{ value, label: shownText(textOf(label) || value, 200) }] : [],
      ) ?? null
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const range = (min: unknown, max: unknown): { min?: number; max?: number } => ({
  ...(typeof min === 'number' && { min }),
  ...(typeof max === 'number' && { max }),
})

/** A question with fields, from a program that works for the agent. */
export interface QuestionForm {
  /** Who asks, and gets the answers. */
  asker: string
  fields: FormField[]
}

export type FormValue = string | number | boolean | string[]
export type FormValues = Record<string, FormValue>

interface FieldBasics {
  name: string
  label: string
  hint?: string
  required: boolean
}

export type FormField = FieldBasics &
  (
    | { kind: 'text'; format?: TextFormat; min?: number; max?: number; start?: string }
    | { kind: 'number'; whole: boolean; min?: number; max?: number; start?: number }
    | { kind: 'yes-no'; start?: boolean }
    | { kind: 'one'; options: FormOption[]; start?: string }
    | { kind: 'some'; options: FormOption[]; min?: number; max?: number; start?: string[] }
  )

export type TextFormat = 'email' | 'uri' | 'date' | 'date-time'

export interface FormOption {
  value: string
  label: string
}

/** What is wrong with the answers, by field; empty when nothing is. Both ends ask it: only main is believed. */
export function formErrors(form: QuestionForm, values: Readonly<Record<string, unknown>>): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const field of form.fields) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined
    const error = value === undefined ? (field.required ? 'An answer is needed.' : null) : fieldError(field, value)
    if (error !== null) errors[field.name] = error
  }
  const known = new Set(form.fields.map(({ name }) => name))
  for (const name of Object.keys(values)) if (!known.has(name)) errors[name] = 'Nobody asked for this.'
  return errors
}

function fieldError(field: FormField, value: unknown): string | null {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? textError(field, value) : 'A text is wanted.'
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'A number is wanted.'
      if (field.whole && !Number.isInteger(value)) return 'A whole number is wanted.'
      return rangeError(field, value, '')
    case 'yes-no':
      return typeof value === 'boolean' ? null : 'Yes or no is wanted.'
    case 'one':
      return field.options.some((option) => option.value === value) ? null : 'One of the choices is wanted.'
    case 'some': {
      if (!Array.isArray(value)) return 'Some of the choices are wanted.'
      const known = value.every((each) => field.options.some((option) => option.value === each))
      return known ? rangeError(field, value.length, ' choices') : 'One of the choices is wanted.'
    }
  }
}

function textError(field: Extract<FormField, { kind: 'text' }>, value: string): string | null {
  const right = field.format === undefined || formats[field.format].test(value)
  if (!right) return `${words[field.format ?? 'email']} is wanted.`
  if (field.format === 'uri' && !URL.canParse(value)) return `${words.uri} is wanted.`
  return rangeError(field, [...value].length, ' characters')
}

function rangeError({ min, max }: { min?: number; max?: number }, value: number, unit: string): string | null {
  if (min !== undefined && value < min) return `At least ${min}${unit}.`
  if (max !== undefined && value > max) return `At most ${max}${unit}.`
  return null
}

const formats: Record<TextFormat, RegExp> = {
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:/i,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/,
}
const words: Record<TextFormat, string> = {
  email: 'An e-mail address',
  uri: 'An address such as https://example.com',
  date: 'A date such as 2026-01-31',
  'date-time': 'A date and time such as 2026-01-31T12:00:00Z',
}

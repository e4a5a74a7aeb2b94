import type { FormField, FormValue, FormValues, QuestionForm } from '../../src-preload/contract/form'

/** A form while it is filled in; numbers are kept as typed. */
type FormDraft = Record<string, string | boolean | string[]>

export const startDraft = ({ fields }: QuestionForm): FormDraft =>
  Object.fromEntries(fields.map((field) => [field.name, startOf(field)]))

function startOf(field: FormField): string | boolean | string[] {
  switch (field.kind) {
    case 'yes-no':
      return field.start ?? false
    case 'some':
      return field.start ?? []
    default:
      return field.start === undefined ? '' : String(field.start)
  }
}

/** The values to send, without empty fields. */
export function valuesOf({ fields }: QuestionForm, draft: FormDraft): FormValues {
  return Object.fromEntries(
    fields.flatMap((field): [string, FormValue][] => {
      const value = draft[field.name]
      if (value === undefined || (typeof value === 'string' && value.trim() === '')) return []
      if (Array.isArray(value) && value.length === 0 && !field.required) return []
      return [[field.name, field.kind === 'number' ? Number(value) : value]]
    }),
  )
}

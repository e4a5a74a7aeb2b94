import type { Answer } from '../../src-preload/contract/approval'
import { type FormField, type FormValue, formErrors, type QuestionForm } from '../../src-preload/contract/form'

/** Puts a line to the user; `null` when they left. */
type Ask = (line: string) => Promise<string | null>

/** Asks for the fields of a form one after the other. */
export async function promptForm(title: string, form: QuestionForm, ask: Ask): Promise<Answer> {
  const willing = await ask(
    `\n${title}\nYour answers are sent to ${form.asker}. Never enter a password or a key. Answer? [y/N] `,
  )
  if (willing === null) return { decision: 'deny', unanswered: true }
  if (!/^y(?:es)?$/i.test(willing.trim())) return { decision: 'deny' }
  const values: Record<string, FormValue> = {}
  for (const field of form.fields) {
    const value = await promptField(field, form, ask)
    if (value === null) return { decision: 'deny', unanswered: true }
    if (value !== undefined) values[field.name] = value
  }
  return { decision: 'reply', text: JSON.stringify(values) }
}

async function promptField(field: FormField, form: QuestionForm, ask: Ask): Promise<FormValue | null | undefined> {
  for (;;) {
    const said = await ask(`${field.label}${hintOf(field)}: `)
    if (said === null) return null
    const value = said.trim() === '' ? field.start : readValue(field, said.trim())
    const [error] = Object.values(
      formErrors({ ...form, fields: [field] }, value === undefined ? {} : { [field.name]: value }),
    )
    if (error === undefined) return value
    if ((await ask(`  ${error} Press Enter and try again. `)) === null) return null
  }
}

function readValue(field: FormField, said: string): FormValue {
  switch (field.kind) {
    case 'number':
      return Number(said)
    case 'yes-no':
      return /^y(?:es)?$/i.test(said)
    case 'some':
      return said.split(',').map((each) => each.trim())
    default:
      return said
  }
}

function hintOf(field: FormField): string {
  const start = field.start === undefined ? '' : `, Enter for ${String(field.start)}`
  switch (field.kind) {
    case 'yes-no':
      return ` [y/n${start}]`
    case 'one':
    case 'some':
      return ` [${field.options.map(({ value }) => value).join(field.kind === 'one' ? ' | ' : ', ')}${start}]`
    default:
      return start ? ` [${start.slice(2)}]` : field.required ? '' : ' [optional]'
  }
}

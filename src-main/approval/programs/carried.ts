import type { Field } from '../shell/field'

/** What a command line carries inside it: another command line, or a text that a shell or an interpreter reads. */
export type Carried =
  | { kind: 'argv'; fields: Field[] }
  | { kind: 'script'; field: Field; parameters?: Field[] }
  | { kind: 'code'; field: Field }

export const plain = (text: string): Field => ({ text, unknown: false, pattern: null })

/** For wrappers: the command behind their options, of which `values` take a value, and behind `before` operands. */
export const wrapped =
  (values: string, before = 0) =>
  (args: readonly Field[]): Carried[] => [{ kind: 'argv', fields: afterOptions(args, values, before) }]

/** Every argument of several words, as a script. */
export const wordsWithSpaces = (args: readonly Field[]): Carried[] =>
  args.filter((field) => /\s/.test(field.text)).map((field) => ({ kind: 'script', field }))

/** The values of some options, as scripts. */
export const scriptOptions = (args: readonly Field[], names: readonly string[]): Carried[] =>
  valuesOf(args, names).map((field) => ({ kind: 'script', field }))

/** The command behind the options of a wrapper and `before` operands. */
export function afterOptions(args: readonly Field[], values: string, before = 0): Field[] {
  let index = 0
  while (index < args.length) {
    const text = args[index]?.text ?? ''
    if (text === '--') {
      index++
      break
    }
    if (!text.startsWith('-') || text === '-') break
    index += text.length === 2 && values.includes(text[1] ?? ' ') ? 2 : 1
  }
  return args.slice(index + before)
}

/** The values of some options, apart or glued to them. */
export function valuesOf(args: readonly Field[], names: readonly string[]): Field[] {
  const found: Field[] = []
  for (const [index, field] of args.entries()) {
    const next = args[index + 1]
    const clustered = names.some((name) => name.length === 2 && new RegExp(`^-[A-Za-z]+${name[1]}$`).test(field.text))
    if ((names.includes(field.text) || clustered) && next) found.push(next)
    for (const name of names) {
      if (name.startsWith('--') && field.text.startsWith(`${name}=`))
        found.push({ ...field, text: field.text.slice(name.length + 1) })
      else if (!name.startsWith('--') && field.text.startsWith(name) && field.text.length > 2)
        found.push({ ...field, text: field.text.slice(2) })
    }
  }
  return found
}

/** Texts that stand inside an argument, where `pattern` finds them. */
export function optionTexts(args: readonly Field[], pattern: RegExp, group = 1): Carried[] {
  return args.flatMap((field) => {
    const text = pattern.exec(field.text)?.[group]
    return text ? [{ kind: 'script' as const, field: { ...field, text } }] : []
  })
}

export const joined = (fields: readonly Field[]): Field => ({
  text: fields.map((field) => field.text).join(' '),
  unknown: fields.some((field) => field.unknown),
  pattern: null,
})

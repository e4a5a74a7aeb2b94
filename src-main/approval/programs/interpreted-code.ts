import type { Field } from '../shell/field'
import type { Carried } from './carried'

/** Code that stands behind one of an interpreter's flags, or glued to it. */
export const codeBehind =
  (flags: RegExp) =>
  (args: readonly Field[]): Carried[] =>
    args.flatMap((field, index) => {
      const match = flags.exec(field.text)
      if (!match) return []
      const next = args[index + 1]
      return [{ kind: 'code' as const, field: match[1] ? { ...field, text: match[1] } : (next ?? field) }]
    })

/** The flags that most interpreters have for it: `-e`, `-E`, `-p`, `--eval`. */
export const flagCode = codeBehind(/^(?:-[A-Za-z]*[eEp]|--eval|--print|eval)(?:=?)(.*)$/s)

import type { Field } from '../shell/field'
import { type Carried, joined } from './carried'

const SHELLS = new Set('sh bash dash zsh ksh mksh ash fish rbash csh tcsh'.split(' '))
export const isShell = (name: string): boolean => SHELLS.has(name)

const INTERPRETERS =
  /^(?:python[\d.]*|pypy\d*|perl[\d.]*|ruby[\d.]*|node|nodejs|bun|deno|php[\d.]*|lua[\d.]*|tclsh|osascript|rscript|groovy|julia|elixir|guile|racket|swift|scala|pwsh|powershell)$/
export const isInterpreter = (name: string): boolean => INTERPRETERS.test(name)

/** What `sh -c` is given, with its parameters. */
export function shellCode(args: readonly Field[]): Carried[] {
  for (let index = 0; index < args.length; index++) {
    const text = args[index]?.text ?? ''
    if (/^(?:[-+][oO]|--rcfile|--init-file)$/.test(text)) index++
    else if (!/^[-+]./.test(text)) return []
    else if (/^-[A-Za-z]*c/.test(text)) {
      const rest = args.slice(index + 1)
      const [script, ...parameters] = rest.slice(
        Math.max(
          0,
          rest.findIndex((next) => !/^[-+]./.test(next.text)),
        ),
      )
      return script ? [{ kind: 'script', field: script, parameters }] : []
    }
  }
  return []
}

/** Code on the command line of an interpreter, or the module that it runs. */
export function interpreterCode(name: string, args: readonly Field[]): Carried[] {
  if (/^(?:pwsh|powershell)$/.test(name)) return [{ kind: 'code', field: joined(args) }]
  const flags = /^(?:python|pypy)/.test(name)
    ? /^-[A-Za-z]*c(.*)$/s
    : /^php/.test(name)
      ? /^-r(.*)$/s
      : /^(?:-[A-Za-z]*[eEp]|--eval|--print|eval)(?:=?)(.*)$/s
  const module = args.findIndex((field) => field.text === '-m')
  if (/^(?:python|pypy)/.test(name) && module >= 0) return [{ kind: 'argv', fields: args.slice(module + 1) }]
  return args.flatMap((field, index) => {
    const match = flags.exec(field.text)
    if (!match) return []
    const next = args[index + 1]
    return [{ kind: 'code' as const, field: match[1] ? { ...field, text: match[1] } : (next ?? field) }]
  })
}

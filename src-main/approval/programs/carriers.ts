import { type Field, UNKNOWN } from '../shell/field'
import { afterOptions, type Carried, joined, optionTexts, plain, valuesOf } from './carried'

export function envCommand(args: readonly Field[]): Carried[] {
  for (let index = 0; index < args.length; index++) {
    const text = args[index]?.text ?? ''
    const split = /^(?:-[a-z]*S|--split-string=?)(.*)$/s.exec(text)
    if (split) {
      const rest = args.slice(index + (split[1] ? 1 : 2))
      const string = split[1] ? plain(split[1]) : args[index + 1]
      return string ? [{ kind: 'script', field: joined([string, ...rest]) }] : []
    }
    if (/^(?:-[uC]|--unset|--chdir)$/.test(text)) index++
    else if (text === '--') continue
    else if (!text.startsWith('-') && !/^[A-Za-z_]\w*=/.test(text)) return [{ kind: 'argv', fields: args.slice(index) }]
  }
  return []
}

export function xargsCommand(args: readonly Field[], piped: readonly Field[]): Field[] {
  const replace = /^-I/.test(args.find((field) => /^-I/.test(field.text))?.text ?? '')
  const command = afterOptions(args, 'aEeIiLlnPsd')
  if (!replace) return [...command, ...piped]
  const mark = valuesOf(args, ['-I'])[0]?.text ?? '{}'
  return command.flatMap((field) =>
    field.text.includes(mark)
      ? piped.map((each) => ({ ...each, text: field.text.replaceAll(mark, each.text) }))
      : [field],
  )
}

/** `{}` stands for what was found: the start itself, or something below it when names are filtered. */
export function findCommands(args: readonly Field[]): Carried[] {
  const starts = args
    .slice(0, args.findIndex((field) => /^[-(!]/.test(field.text)) >>> 0)
    .map((field) => (field.text === '' ? plain('.') : field))
  const filtered = args.some((field) =>
    /^-(?:i?name|i?path|i?wholename|i?regex|mindepth|empty|i?lname)$/.test(field.text),
  )
  const found = (starts.length > 0 ? starts : [plain('.')]).map((start) =>
    filtered ? { ...start, text: `${start.text}/unknown/file` } : start,
  )
  const carried: Carried[] = []
  for (let index = 0; index < args.length; index++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(args[index]?.text ?? '')) continue
    const end = args.findIndex((field, at) => at > index && (field.text === ';' || field.text === '+'))
    const command = args.slice(index + 1, end < 0 ? undefined : end)
    for (const each of found) {
      carried.push({
        kind: 'argv',
        fields: command.map((field) =>
          field.text.includes('{}') ? { ...each, text: field.text.replaceAll('{}', each.text) } : field,
        ),
      })
    }
  }
  return carried
}

export function gitCommands(args: readonly Field[]): Carried[] {
  const words = args.map((field) => field.text)
  const carried: Carried[] = optionTexts(
    args,
    /^(?:alias\.[^=]+=!|core\.(?:fsmonitor|sshCommand|pager|editor|askPass)=|(?:--)?(?:upload-pack|receive-pack|exec)=)(.+)$/is,
  )
  const run = words.findIndex((word) => word === 'run' || word === 'foreach')
  if (run > 0 && /^(?:bisect|submodule)$/.test(words[run - 1] ?? ''))
    carried.push(
      run + 2 === args.length
        ? { kind: 'script', field: joined(args.slice(run + 1)) }
        : { kind: 'argv', fields: args.slice(run + 1) },
    )
  for (const field of valuesOf(args, [
    '-x',
    '--exec',
    '--tree-filter',
    '--index-filter',
    '--msg-filter',
    '--env-filter',
    '--upload-pack',
  ]))
    carried.push({ kind: 'script', field })
  return carried
}

/** What runs in a container stays there, unless the machine's own root is mounted into it. */
export function containerCommand(args: readonly Field[]): Carried[] {
  const mounted = args.some(
    (field, index) =>
      /^(?:-v|--volume|--mount)$/.test(args[index - 1]?.text ?? '') && /^\/:|source=\/,|src=\/,/.test(field.text),
  )
  return mounted || args.some((field) => field.text === '--privileged')
    ? [{ kind: 'argv', fields: [plain('sudo'), plain(UNKNOWN)] }]
    : []
}

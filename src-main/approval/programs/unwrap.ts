import type { Field } from '../shell/field'
import { afterOptions, type Carried, joined, optionTexts, valuesOf } from './carried'
import { containerCommand, envCommand, findCommands, gitCommands, xargsCommand } from './carriers'
import { interpreterCode, isInterpreter, isShell, shellCode } from './interpreters'
import { WRAPPERS } from './wrappers'

/** Everything that `fields` would start or read as code. `piped` are the words that a pipe may deliver to xargs. */
export function carriedBy(name: string, fields: readonly Field[], piped: readonly Field[]): Carried[] {
  const args = fields.slice(1)
  const words = args.map((field) => field.text)
  // `command -v x` only tells where x is.
  if (name === 'command' && /^-[pvV]*[vV]/.test(words[0] ?? '')) return []
  const wrapper = WRAPPERS.get(name)
  if (wrapper) return [{ kind: 'argv', fields: afterOptions(args, wrapper.values, wrapper.before ?? 0) }]
  if (isShell(name)) return shellCode(args)
  if (isInterpreter(name)) return interpreterCode(name, args)
  switch (name) {
    case 'env':
      return envCommand(args)
    case 'xargs':
      return [{ kind: 'argv', fields: xargsCommand(args, piped) }]
    case 'parallel':
      return [
        { kind: 'argv', fields: afterOptions(args, 'jSaN').filter((field) => !/^:::+/.test(field.text)) },
        ...args.filter((field) => /\s/.test(field.text)).map((field): Carried => ({ kind: 'script', field })),
      ]
    case 'find':
      return findCommands(args)
    case 'eval':
      return [{ kind: 'script', field: joined(args) }]
    case 'trap':
      return args[0] ? [{ kind: 'script', field: args[0] }] : []
    case 'alias':
      return args
        .filter((field) => field.text.includes('='))
        .map((field) => ({ kind: 'script', field: { ...field, text: field.text.slice(field.text.indexOf('=') + 1) } }))
    case 'watch':
      return [{ kind: 'script', field: joined(afterOptions(args, 'n')) }]
    case 'flock':
    case 'script':
    case 'su':
    case 'runuser':
      return [
        ...valuesOf(args, ['-c', '--command']).map((field): Carried => ({ kind: 'script', field })),
        ...(name === 'flock' ? [{ kind: 'argv' as const, fields: afterOptions(args, 'wEc', 1) }] : []),
      ]
    case 'ssh':
      return [
        { kind: 'script', field: joined(afterOptions(args, 'bcDEeFIiJLlmOopQRSWw', 1)) },
        ...optionTexts(args, /^-?o?\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ]\s*(.+)$/is),
      ]
    case 'docker':
    case 'podman':
    case 'kubectl':
      return containerCommand(args)
    case 'git':
      return gitCommands(args)
    case 'tar':
    case 'gtar':
    case 'bsdtar':
      return optionTexts(
        args,
        /^--(?:to-command|checkpoint-action=exec|use-compress-program|rsh-command|info-script|new-volume-script)=(.+)$/s,
      )
    case 'rsync':
    case 'scp':
      return valuesOf(args, ['-e', '--rsh', '-S']).map((field) => ({ kind: 'script', field }))
    case 'awk':
    case 'gawk':
    case 'mawk':
    case 'nawk':
      return args.map((field) => ({ kind: 'code', field }))
    case 'sed':
    case 'gsed':
      return optionTexts(args, /(?:^|[;\n\d$/])\s*e\s+(.+)$/s).concat(
        optionTexts(args, /^s(.).*?\1(.*?)\1\w*e\w*$/s, 2),
      )
    case 'vim':
    case 'vi':
    case 'nvim':
    case 'ex':
    case 'less':
    case 'more':
    case 'man':
    case 'gdb':
      return optionTexts(args, /^\+?:?(?:silent\s*)?(?:!|shell\s|call system\(['"])\s*(.+?)['")]*$/s)
    case 'cmd':
      return /^\/[ck]$/i.test(words[0] ?? '')
        ? [
            { kind: 'argv', fields: args.slice(1) },
            { kind: 'script', field: joined(args.slice(1)) },
          ]
        : []
    case 'npm':
    case 'pnpm':
    case 'yarn':
      return /^(?:exec|x|dlx)$/.test(words[0] ?? '')
        ? [
            { kind: 'argv', fields: afterOptions(args.slice(1), '') },
            ...valuesOf(args, ['-c', '--call']).map((field): Carried => ({ kind: 'script', field })),
          ]
        : []
    case 'make':
      return optionTexts(args, /^(?:SHELL|CC|MAKE)=(.+)$/s)
    case 'expect':
    case 'tclsh':
    case 'emacs':
    case 'nodemon':
    case 'concurrently':
    case 'hyperfine':
    case 'tmux':
    case 'screen':
    case 'at':
      return args.filter((field) => /\s/.test(field.text)).map((field) => ({ kind: 'script', field }))
    default:
      return []
  }
}

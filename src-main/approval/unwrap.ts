import { type Field, UNKNOWN } from './shell-fields'

/** What a command line carries inside it: another command line, or a text that a shell or an interpreter reads. */
export type Carried =
  | { kind: 'argv'; fields: Field[] }
  | { kind: 'script'; field: Field; parameters?: Field[] }
  | { kind: 'code'; field: Field }

const SHELLS = new Set('sh bash dash zsh ksh mksh ash fish rbash csh tcsh'.split(' '))
export const isShell = (name: string): boolean => SHELLS.has(name)

const INTERPRETERS =
  /^(?:python[\d.]*|pypy\d*|perl[\d.]*|ruby[\d.]*|node|nodejs|bun|deno|php[\d.]*|lua[\d.]*|tclsh|osascript|rscript|groovy|julia|elixir|guile|racket|swift|scala|pwsh|powershell)$/
export const isInterpreter = (name: string): boolean => INTERPRETERS.test(name)

/** Wrappers: options that take a value, and how many operands come before the command. */
const WRAPPERS: ReadonlyMap<string, { values: string; before?: number }> = new Map(
  Object.entries({
    nice: { values: 'n' },
    nohup: { values: '' },
    timeout: { values: 'ks', before: 1 },
    gtimeout: { values: 'ks', before: 1 },
    stdbuf: { values: 'ioe' },
    unbuffer: { values: '' },
    setsid: { values: '' },
    time: { values: 'fo' },
    gtime: { values: 'fo' },
    command: { values: '' },
    builtin: { values: '' },
    exec: { values: 'a' },
    ionice: { values: 'cnp' },
    chrt: { values: '', before: 1 },
    taskset: { values: 'c', before: 1 },
    strace: { values: 'eoPpsu' },
    ltrace: { values: 'eopsu' },
    busybox: { values: '' },
    toybox: { values: '' },
    catchsegv: { values: '' },
    caffeinate: { values: 'tw' },
    firejail: { values: '' },
    bwrap: { values: '' },
    unshare: { values: '' },
    setarch: { values: '', before: 1 },
    'dbus-run-session': { values: '' },
    'xvfb-run': { values: 'fnpsew' },
    rlwrap: { values: '' },
    entr: { values: '' },
    direnv: { values: '', before: 2 },
    npx: { values: 'p' },
    bunx: { values: '' },
    proxychains: { values: 'f' },
    proxychains4: { values: 'f' },
    torsocks: { values: '' },
    tsocks: { values: '' },
    faketime: { values: 'f', before: 1 },
    fakeroot: { values: '' },
    sem: { values: 'j' },
    chronic: { values: '' },
    ts: { values: '' },
    runcon: { values: '' },
    prlimit: { values: '' },
    numactl: { values: '' },
    noglob: { values: '' },
    nocorrect: { values: '' },
  }),
)

const plain = (text: string): Field => ({ text, unknown: false, pattern: null })

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

function afterOptions(args: readonly Field[], values: string, before = 0): Field[] {
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

function valuesOf(args: readonly Field[], names: readonly string[]): Field[] {
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

function optionTexts(args: readonly Field[], pattern: RegExp, group = 1): Carried[] {
  return args.flatMap((field) => {
    const text = pattern.exec(field.text)?.[group]
    return text ? [{ kind: 'script' as const, field: { ...field, text } }] : []
  })
}

const joined = (fields: readonly Field[]): Field => ({
  text: fields.map((field) => field.text).join(' '),
  unknown: fields.some((field) => field.unknown),
  pattern: null,
})

function shellCode(args: readonly Field[]): Carried[] {
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

function interpreterCode(name: string, args: readonly Field[]): Carried[] {
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

function envCommand(args: readonly Field[]): Carried[] {
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

function xargsCommand(args: readonly Field[], piped: readonly Field[]): Field[] {
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
function findCommands(args: readonly Field[]): Carried[] {
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

function gitCommands(args: readonly Field[]): Carried[] {
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
function containerCommand(args: readonly Field[]): Carried[] {
  const mounted = args.some(
    (field, index) =>
      /^(?:-v|--volume|--mount)$/.test(args[index - 1]?.text ?? '') && /^\/:|source=\/,|src=\/,/.test(field.text),
  )
  return mounted || args.some((field) => field.text === '--privileged')
    ? [{ kind: 'argv', fields: [plain('sudo'), plain(UNKNOWN)] }]
    : []
}

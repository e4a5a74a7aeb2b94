import type { CommandSpec, OptionSpec } from '../arguments'

/** What a shell needs to complete the words of `deckhand`, made from the table of its commands. */

export const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

const writers: Record<Shell, (commands: readonly CommandSpec[]) => string> = { bash, zsh, fish }

export const completionsFor = (shell: Shell, commands: readonly CommandSpec[]): string => writers[shell](commands)

const common = ['--help', '--version']
/** Values for which the names of files are offered. */
const isPath = ({ value }: OptionSpec): boolean => value === 'DIR' || value === 'FILE' || value === 'PATH'
const takesWord = ({ value, optional }: OptionSpec): boolean => value !== undefined && !optional
const longNames = ({ options }: CommandSpec): string[] => [...options.map(({ name }) => `--${name}`), '--help']
/** The words of an operand such as `list|add`; none for one that stands for something. */
const operandWords = ({ operand = '' }: CommandSpec): string[] => operand.match(/[a-z]+(?=\||\b)/g) ?? []

function bash(commands: readonly CommandSpec[]): string {
  const cases = commands.map((command) => {
    const values = command.options.filter(takesWord).map((option) => {
      const answer = option.choices
        ? `COMPREPLY=($(compgen -W ${quoted(option.choices.join(' '))} -- "$cur"))`
        : isPath(option)
          ? `COMPREPLY=($(compgen -${option.value === 'DIR' ? 'd' : 'f'} -- "$cur"))`
          : 'COMPREPLY=()'
      return `        --${option.name}) ${answer}; return ;;`
    })
    const words = [...operandWords(command), ...longNames(command)].join(' ')
    const answer = `      COMPREPLY=($(compgen -W ${quoted(words)} -- "$cur"))`
    const chosen = values.length > 0 ? ['      case $prev in', ...values, '      esac'] : []
    return [`    ${command.name})`, ...chosen, answer, '      ;;'].join('\n')
  })
  return `# Completions of deckhand for bash, made from the table of its commands.
_deckhand() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted([...commands.map(({ name }) => name), ...common].join(' '))} -- "$cur"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
}
complete -o bashdefault -F _deckhand deckhand
`
}

function zsh(commands: readonly CommandSpec[]): string {
  const escaped = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&')
  const optionOf = (option: OptionSpec): string => {
    const action = option.choices ? `(${option.choices.join(' ')})` : isPath(option) ? '_files' : ' '
    const value = takesWord(option) ? `:${escaped(option.value ?? '')}:${action}` : ''
    return quoted(`${option.repeat ? '*' : ''}--${option.name}[${escaped(option.help)}]${value}`)
  }
  const cases = commands.map((command) => {
    const words = operandWords(command)
    const rest = words.length > 0 ? `*:word:(${words.join(' ')})` : command.operand ? '*:file:_files' : ''
    const all = [...command.options.map(optionOf), quoted('--help[This text]'), ...(rest ? [quoted(rest)] : [])]
    return `    ${command.name}) _arguments ${all.join(' ')} ;;`
  })
  const names = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`)
  return `#compdef deckhand
# Completions of deckhand for zsh, made from the table of its commands.
_deckhand() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=\${words[2]}
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
_deckhand "$@"
`
}

function fish(commands: readonly CommandSpec[]): string {
  const lines = commands.flatMap((command) => {
    const when = `-n ${quoted(`__fish_seen_subcommand_from ${command.name}`)}`
    const options = command.options.map((option) => {
      const choices = option.choices ? ` -a ${quoted(option.choices.join(' '))}` : ''
      const value = takesWord(option) ? (isPath(option) ? ' -r -F' : ` -x${choices}`) : ''
      return `complete -c deckhand ${when} -l ${option.name}${value} -d ${quoted(option.help)}`
    })
    const words = operandWords(command)
    const operands = words.length > 0 ? [`complete -c deckhand ${when} -f -a ${quoted(words.join(' '))}`] : []
    return [
      `complete -c deckhand -n __fish_use_subcommand -f -a ${command.name} -d ${quoted(command.summary)}`,
      ...options,
      ...operands,
    ]
  })
  return [
    '# Completions of deckhand for fish, made from the table of its commands.',
    'complete -c deckhand -l help -d "This text"',
    'complete -c deckhand -n __fish_use_subcommand -l version -d "The version"',
    ...lines,
    '',
  ].join('\n')
}

/** In single quotes, as all three shells read it; none of them has a way to write one inside that the others share. */
const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`

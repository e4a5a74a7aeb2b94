import type { CommandSpec, OptionSpec } from '../arguments'

/** The manual page of `deckhand` (section 1), made from the table of its commands. */
export function manualPage(commands: readonly CommandSpec[], version: string): string {
  return [
    `.TH DECKHAND 1 "" ${word(`deckhand ${version}`)} "User Commands"`,
    '.SH NAME',
    'deckhand \\- desktop agent that you can watch',
    '.SH SYNOPSIS',
    '.B deckhand',
    '[\\fB\\-\\-open\\fR \\fIFOLDER\\fR | \\fILINK\\fR]',
    '.br',
    '.B deckhand',
    '\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIWORD\\fR]...',
    '.SH DESCRIPTION',
    plain(
      'Without a command it opens the window, or brings it to the front. --open begins a session in FOLDER. ' +
        'A link is deckhand-link://session/ID or deckhand-link://prompt?text=...: it shows a session or fills the message box, and never sends anything.',
    ),
    '.PP',
    'With a command there is no window and no display is needed.',
    '.SH COMMANDS',
    ...commands.flatMap(commandSection),
    '.SH ENVIRONMENT',
    ...entry('DECKHAND_API_KEY', 'The key of the model server for commands.'),
    ...entry('DECKHAND_NODE_TOKEN', 'What lets a node in, instead of --token.'),
    '.SH FILES',
    ...entry('~/.config/deckhand', 'Sessions, settings, the output of processes and the log.'),
    '',
  ].join('\n')
}

const commandSection = (command: CommandSpec): string[] => [
  `.SS ${word(`deckhand ${command.name}${command.operand ? ` ${command.operand}` : ''}`)}`,
  plain(command.summary),
  ...(command.details ? ['.PP', '.nf', plain(command.details), '.fi'] : []),
  ...command.options.flatMap(optionEntry),
]

const optionEntry = (option: OptionSpec): string[] => {
  const value = option.optional ? `[=${option.value}]` : option.value ? ` ${option.value}` : ''
  return entry(`--${option.name}${value}`, option.help)
}

const entry = (term: string, text: string): string[] => ['.TP', `.B ${plain(term)}`, plain(text)]

/** No line of the text can be read as a request of the formatter. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('’', '\\(cq')
    .replace(/^([.'])/gm, '\\&$1')

const word = (text: string): string => `"${plain(text).replaceAll('"', '\\(dq')}"`

import type { Field } from '../shell/field'
import { afterOptions, type Carried, joined, plain, scriptOptions, valuesOf, wordsWithSpaces, wrapped } from './carried'
import { type DangerCheck, doubt, type Family } from './facts'
import { readOptions } from './options'

const timeout = { carries: wrapped('ks', 1) }

/** Programs that start another one: what that one does counts. */
export const WRAPPERS: Family = {
  [`unbuffer catchsegv firejail bwrap unshare dbus-run-session rlwrap entr torsocks tsocks fakeroot chronic ts
    runcon prlimit numactl noglob nocorrect nohup setsid builtin busybox toybox`]: { carries: wrapped('') },
  nice: { carries: wrapped('n') },
  ionice: { carries: wrapped('cnp') },
  stdbuf: { carries: wrapped('ioe') },
  'time gtime': { carries: wrapped('fo') },
  exec: { carries: wrapped('a') },
  strace: { carries: wrapped('eoPpsu') },
  ltrace: { carries: wrapped('eopsu') },
  'chrt setarch': { carries: wrapped('', 1) },
  taskset: { carries: wrapped('c', 1) },
  caffeinate: { carries: wrapped('tw') },
  'xvfb-run': { carries: wrapped('fnpsew') },
  'proxychains proxychains4': { carries: wrapped('f') },
  faketime: { carries: wrapped('f', 1) },
  sem: { carries: wrapped('j') },
  direnv: { carries: wrapped('', 2) },
  timeout: { ...timeout, inner: timedCommand },
  gtimeout: timeout,
  command: {
    builtin: true,
    opens: 'none',
    reads: (words) =>
      /^-[vV]$/.test(words[0] ?? '') && words.slice(1).every((word) => !word.startsWith('-'))
        ? null
        : doubt('program', 'command starts another program'),
    // `command -v x` only tells where x is.
    carries: (args) => (/^-[pvV]*[vV]/.test(args[0]?.text ?? '') ? [] : wrapped('')(args)),
  },
  env: { carries: envCommand },
  xargs: { carries: xargsCommand, danger: endlessXargs, takesWords: true },
  parallel: {
    takesWords: true,
    carries: (args) => [
      { kind: 'argv', fields: afterOptions(args, 'jSaN').filter(({ text }) => !/^:::+/.test(text)) },
      ...wordsWithSpaces(args),
    ],
  },
  watch: { carries: (args) => [{ kind: 'script', field: joined(afterOptions(args, 'n')) }] },
  flock: {
    carries: (args) => [
      ...scriptOptions(args, ['-c', '--command']),
      { kind: 'argv', fields: afterOptions(args, 'wEc', 1) },
    ],
  },
  script: { carries: (args) => scriptOptions(args, ['-c', '--command']) },
  'hyperfine expect': { carries: wordsWithSpaces },
}

/** The command behind `timeout 5`, where its own words are plain. */
function timedCommand(words: readonly string[]): string[] | null {
  const read = readOptions(words, {
    short: 'k:s:v',
    long: 'kill-after= signal= foreground preserve-status verbose',
    strict: true,
  })
  if (typeof read === 'string') return null
  const [duration, ...inner] = read.operands
  return /^\d+(?:\.\d+)?[smhd]?$/.test(duration ?? '') && inner.length > 0 && inner[0] !== 'cd' ? inner : null
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

function xargsCommand(args: readonly Field[], piped: readonly Field[]): Carried[] {
  const replace = /^-I/.test(args.find((field) => /^-I/.test(field.text))?.text ?? '')
  const named = afterOptions(args, 'aEeIiLlnPsd')
  const command = named.length > 0 ? named : [plain('echo')]
  if (!replace) return [{ kind: 'argv', fields: [...command, ...piped] }]
  const mark = valuesOf(args, ['-I'])[0]?.text ?? '{}'
  const fields = command.flatMap((field) =>
    field.text.includes(mark)
      ? piped.map((each) => ({ ...each, text: field.text.replaceAll(mark, each.text) }))
      : [field],
  )
  return [{ kind: 'argv', fields }]
}

function endlessXargs(_args: readonly Field[], words: readonly string[]): ReturnType<DangerCheck> {
  const endless = words.some(
    (word, index) =>
      /^(?:-P0+|--max-procs=0+)$/.test(word) ||
      (/^(?:-P|--max-procs)$/.test(word) && /^0+$/.test(words[index + 1] ?? '')),
  )
  return endless ? { word: 'run', reason: 'starts endless processes' } : null
}

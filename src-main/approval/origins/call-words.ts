import { basename, resolve } from 'node:path/posix'
import { factsOf } from '../programs/registry'
import { baseName } from '../shell/program-name'
import type { Access } from '../types'

/** A word of a call that somebody must have chosen: the user, the model, or a text that the model read. */
export interface CallWord {
  kind: 'address' | 'package' | 'path' | 'flag' | 'command' | 'value'
  /** As the card shows it. */
  text: string
  /** How it may stand elsewhere, fullest first. */
  forms: readonly string[]
  /** What must stand on the same line, for words that are everywhere. */
  beside?: RegExp
  /** It counts as the user's as well if they wrote all of these. */
  hints?: readonly string[]
}

/** What a call is made of, besides what the gate knows. */
interface CallParts {
  access: Pick<Access, 'command' | 'argv' | 'cwd' | 'workspace' | 'paths' | 'hosts'>
  /** The parts of a command, each in its own words. */
  commands: readonly string[]
  /** The strings of its arguments. */
  values: readonly string[]
  /** Text that would be new in files. */
  added: readonly string[]
  /** Whether a file is there already. */
  exists(path: string): boolean
}

const MAX_WORDS = 60

const URL_WORD = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>|;(){}[\]\\^]+/gi
const MAIL_WORD = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?::[\w./~-]+)?/g
const ADDRESS_WORD =
  /\b(?:\d{1,3}(?:\.\d{1,3}){3}|(?:[a-z0-9-]+\.)+[a-z]{2,24})(?::\d{2,5})?(?:\/[^\s"'`<>|;(){}[\]\\]*)?/gi

/** Every word of a call whose origin can be told, in the order in which the card should name them. */
export function callWords(parts: CallParts): CallWord[] {
  const { access, commands, values, added } = parts
  const command = access.command ?? access.argv?.join(' ')
  const words =
    command === undefined
      ? [
          ...values.flatMap((value) => addresses(value)),
          ...added.flatMap((text) => addresses(text)),
          ...(access.paths ?? []).flatMap(({ path }) => pathWord(path, parts) ?? []),
          ...values.flatMap((value) => valueWords(value, parts)),
        ]
      : [
          ...addresses(command),
          ...commands.flatMap((text) => packageWords(text)),
          ...plainWords(command).flatMap((word) => pathWord(word, parts) ?? []),
          ...commands.flatMap((text) => flagWords(text)),
          ...commands.flatMap((text) => commandWord(text) ?? []),
        ]
  const seen = new Set<string>()
  return words.filter(({ text }) => !seen.has(text) && seen.add(text)).slice(0, MAX_WORDS)
}

const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[?::1\]?|0\.0\.0\.0)(?::\d+)?(?:\/|$)/i

function addresses(text: string): CallWord[] {
  const urls = text.match(URL_WORD) ?? []
  const mails = text.replaceAll(URL_WORD, ' ').match(MAIL_WORD) ?? []
  const bare = (text.replaceAll(URL_WORD, ' ').replaceAll(MAIL_WORD, ' ').match(ADDRESS_WORD) ?? []).filter(isAddress)
  return [...urls, ...mails, ...bare].flatMap((found) => {
    const whole = found.replace(/[.,:!?]+$/, '')
    const rest = withoutEnd(whole.replace(/^[a-z][a-z0-9+.-]*:\/\//i, ''))
    if (LOOPBACK.test(rest) || /^file:/i.test(whole)) return []
    const host = rest.replace(/^[^@/]*@/, '').replace(/[/:?#].*$/s, '')
    const forms = [...new Set([rest, rest.replace(/[?#].*$/s, ''), host])].filter((form) => form.length > 3)
    return forms.length === 0 ? [] : [{ kind: 'address' as const, text: withoutEnd(whole), forms }]
  })
}

const withoutEnd = (address: string): string => address.replace(/\/+$/, '')

/** `main.rs` and `app.ts` look like hosts: without a path behind it only the usual endings count. */
const isAddress = (word: string): boolean =>
  /^\d/.test(word)
    ? /^\d{1,3}(?:\.\d{1,3}){3}/.test(word)
    : /^[^/:]+\.(?:com|net|org|edu|gov|io|dev|ai|app|cloud|xyz|info|biz|site|online|top|co|me|tk|ru|cn|uk|de|example|test|invalid|internal|corp|lan)(?::\d+)?(?:\/.*)?$/i.test(
        word,
      )

/** The words of a command without quotes, operators and addresses. */
const plainWords = (command: string): string[] =>
  command
    .replaceAll(URL_WORD, ' ')
    .split(/[\s"'`;|&()<>{}=,]+/)
    .filter(Boolean)

const FILE_WORD = /^(?:~|\.{1,2}|[\w@%+.-]+)?(?:\/[\w@%+.~-]+)+\/?$|^[\w@%+-][\w@%+.-]*\.[a-z]\w{0,7}$|^\.[\w-]{3,}$/i

/** What the line of a file that is already there must say: such paths are on every list and in every import. */
const DOES_SOMETHING =
  /\b(?:rm|mv|cp|tee|dd|curl|wget|scp|chmod|chown|truncate|shred|unlink|delete|remove|erase|wipe|empty|clear|overwrite|replace|change|edit|modify|update|append|add|insert|write|create|save|put|copy|move|rename|send|upload|publish|push|post|attach|mail|run|execute|install|set|must|please|disable|patch)\b/i

/** Names alone look like `console.log` and `user.name`. */
const FILE_ENDING =
  /\.(?:md|txt|json5?|jsonl|[cm]?[jt]sx?|py|sh|bash|zsh|ya?ml|toml|env|pem|key|crt|csv|tsv|sql|zip|tar|t?gz|xz|html?|css|rs|go|c|h|cc|cpp|hpp|java|kt|rb|php|pl|lua|xml|ini|cfg|conf|pdf|png|jpe?g|svg|lock|db|sqlite|service|bak)$/i

function pathWord(word: string, { access, exists }: CallParts): CallWord | null {
  if (
    !FILE_WORD.test(word) ||
    !/[a-z]{2}/i.test(word) ||
    word.length < 4 ||
    /^\/(?:dev|proc)\//.test(word) ||
    /^[\d.]+$/.test(word)
  )
    return null
  if (/^\/(?:usr\/(?:local\/)?)?s?bin\/[\w.-]+$/.test(word)) return null
  const home = word.startsWith('~')
  const full = home ? word : resolve(access.cwd, word)
  const inside = !home && (full === access.workspace || full.startsWith(`${access.workspace}/`))
  const text = word.replace(/\/$/, '')
  // `/tmp` and `/etc` are everybody's words.
  if (!inside) return full.split('/').length < 3 ? null : { kind: 'path', text, forms: [...new Set([text, full])] }
  const relative = full.slice(access.workspace.length + 1)
  const isThere = exists(full)
  if (relative === '' || !(word.includes('/') || isThere || FILE_ENDING.test(word))) return null
  const forms = [...new Set([text.replace(/^\.\//, ''), relative, full])].filter((form) => /[./]/.test(form))
  // The user means the same file with its name alone.
  const hints = [basename(relative)]
  return { kind: 'path', text, forms, hints, ...(isThere && { beside: DOES_SOMETHING }) }
}

const INSTALLS = /^(?:install|i|add|get|exec|dlx|x|create|init|require|ci|update|upgrade|pull|run)$/

const ABOUT_PACKAGES =
  /\b(?:install\w*|add(?:ing|ed)?|packages?|depend\w*|requir\w*|librar\w*|modules?|npm|npx|pnpm|yarn|bunx?|pip3?|pipx|uvx?|cargo|gem|brew|apt(?:-get)?|docker|podman)\b/i

function packageWords(command: string): CallWord[] {
  const words = command.trim().split(/\s+/)
  const at = words.findIndex((word) => fetches(baseName(word)))
  if (at < 0) return []
  const rest = words.slice(at + 1)
  const once = factsOf(baseName(words[at] ?? ''))?.packages === 'once'
  const verb = once ? -1 : rest.findIndex((word) => INSTALLS.test(word))
  if (!once && (verb < 0 || rest.slice(0, verb).some((word) => !word.startsWith('-')))) return []
  // The scripts of the project are no packages.
  if (/^(?:run|exec)$/.test(rest[verb] ?? '') && factsOf(baseName(words[at] ?? ''))?.packages === 'manager') return []
  const operands = rest.slice(verb + 1).filter((word) => /^["']?@?[a-z]/i.test(word) && !/:\/\/|^\.|[<>|]/.test(word))
  return (once ? operands.slice(0, 1) : operands).flatMap((word) => packageWord(word.replaceAll(/["']/g, '')))
}

const fetches = (program: string): boolean =>
  factsOf(program)?.packages !== undefined || program === 'docker' || program === 'podman'

function packageWord(word: string): CallWord[] {
  const name = word.replace(/(?<=.)(?:@|[=<>~!]=?|\[).*$/, '')
  if (name.length < 3) return []
  const plain = /^[a-z]+$/i.test(name)
  const forms = [...new Set([word, name])]
  return [{ kind: 'package', text: word, forms, ...(plain && { beside: ABOUT_PACKAGES }) }]
}

/** An option counts where the line speaks of the program too: helps and manuals list options alone. */
function flagWords(command: string): CallWord[] {
  const [program = '', ...words] = command.trim().split(/\s+/)
  const name = baseName(program)
  if (!/^[\w.+-]+$/.test(name)) return []
  const beside = new RegExp(`(?:^|[^\\w-])${name.replaceAll(/[.+]/g, '\\$&')}(?:[^\\w-]|$)`, 'i')
  return words.flatMap((word) => {
    const flag = /^--[a-z][\w-]{2,}/i.exec(word)?.[0]
    return flag && !/^--(?:help|version)$/.test(flag)
      ? [{ kind: 'flag' as const, text: flag, forms: [flag], beside }]
      : []
  })
}

const EVERYWHERE = /^(?:run|exec|sudo|env|npx|with|from|into|origin|install)$/

/** The command itself, word for word. */
function commandWord(command: string): CallWord | null {
  const text = command
    .replaceAll(/\s+\d?[<>]{1,2}&?\s*\S+/g, '')
    .trim()
    .replaceAll(/\s+/g, ' ')
  const words = text.split(' ')
  if (words.length < 3 || text.length < 10 || text.length > 400) return null
  const hints = words
    .slice(1)
    .flatMap((word) => (/^[a-z][a-z:-]{2,}$/i.test(word) && !EVERYWHERE.test(word) ? [stem(word)] : []))
  return { kind: 'command', text, forms: [text], ...(hints.length > 0 && { hints }) }
}

const stem = (word: string): string => word.slice(0, Math.max(4, word.length - 2)).toLowerCase()

/** What other tools are told: whole values that are more than one ordinary word. */
function valueWords(value: string, parts: CallParts): CallWord[] {
  const path = pathWord(value, parts)
  if (path) return [path]
  return value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= 6 && line.length <= 400 && /[\s\d@#/.:_-]|[A-Z].*[A-Z]/.test(line))
    .slice(0, 3)
    .map((text) => ({ kind: 'value', text, forms: [text] }))
}

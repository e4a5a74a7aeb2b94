import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/**
 * The user's own git settings without the programs that show differences in another way. A repository chooses by its
 * attributes which of these programs gets which file, and no variable can turn them off; so a git that nobody was asked
 * about reads copies of the settings in which they are left out. Without such programs there are no copies.
 */
export interface PlainSettings {
  /** Where the copies are, for the environment of a git. */
  variables(): Readonly<Record<string, string>>
}

interface Options {
  home: string
  /** Holds the copies. */
  folder: string
  env?: Readonly<Record<string, string | undefined>>
  /** Where git may keep the settings of the whole machine. */
  system?: readonly string[]
  clock?: () => number
}

const SYSTEM = ['/etc/gitconfig', '/usr/local/etc/gitconfig', '/opt/homebrew/etc/gitconfig']
/** The files are looked at again after this time. */
const LOOK_MS = 1000
const MAX_BYTES = 1_000_000
/** As in git. */
const MAX_DEPTH = 10

/** Whether there may be something to leave out; another file may be included that has it. */
const SUSPECT = /textconv|external|command|include|%G|%\(sig/i

/** What is left out: programs for differences and signatures, and what is only of use with a network. */
const LEFT_OUT = /^(?:diff\.external|diff\..*\.(?:command|textconv)|credential\..*|http\.(?:.*\.)?extraheader)$/s
const isLeftOut = ({ name, value }: Entry): boolean =>
  LEFT_OUT.test(name) || (/^(?:format\.pretty|pretty\.)/.test(name) && /%G|%\(sig/.test(value ?? ''))

interface Entry {
  /** Section and key in lower case. */
  name: string
  /** `null`: the key stands alone, which means yes. */
  value: string | null
}

export function createPlainSettings(options: Options): PlainSettings {
  const { home, folder, clock = () => performance.now() } = options
  const env = options.env ?? process.env
  let lookedAt = Number.NEGATIVE_INFINITY
  let stamp: string | null = null
  let known: Readonly<Record<string, string>> = {}
  /** Every file that the copies were made of. */
  let watched: readonly string[] = []

  const make = (): void => {
    const copies = new Map<string, string>()
    const seen = new Set<string>()
    const copyOf = (files: readonly string[]): string | null => {
      const texts = files.map((file) => readSettings(file))
      for (const file of files) seen.add(file)
      if (!texts.some((text) => SUSPECT.test(text))) return null
      const before = copies.size
      const found = { leftOut: false }
      const text = files.map((file) => plainText(file, 0, { home, copies, folder, seen, found })).join('')
      if (found.leftOut) return keep(copies, folder, text)
      for (const path of [...copies.keys()].slice(before)) copies.delete(path)
      return null
    }
    const own = copyOf(ownFiles(home, env))
    const [system] = systemFiles(options.system ?? SYSTEM, env).map((file) => copyOf([file]))
    write(folder, copies)
    known = { ...(own && { GIT_CONFIG_GLOBAL: own }), ...(system && { GIT_CONFIG_SYSTEM: system }) }
    watched = [...seen, ...ownFiles(home, env, true), ...(options.system ?? SYSTEM)]
    stamp = stampOf(watched)
  }

  return {
    variables() {
      const now = clock()
      if (now - lookedAt < LOOK_MS) return known
      lookedAt = now
      if (stamp === null || stampOf(watched) !== stamp) make()
      return known
    },
  }
}

/** The user's own settings, in the order in which git reads them. */
function ownFiles(home: string, env: NonNullable<Options['env']>, missing = false): string[] {
  const named = env.GIT_CONFIG_GLOBAL
  const files =
    named !== undefined
      ? [named]
      : [join(env.XDG_CONFIG_HOME || join(home, '.config'), 'git/config'), join(home, '.gitconfig')]
  return files.filter((file) => isAbsolute(file) && (missing || existsSync(file)))
}

function systemFiles(usual: readonly string[], env: NonNullable<Options['env']>): string[] {
  if (/^(?:1|true|yes|on)$/i.test(env.GIT_CONFIG_NOSYSTEM ?? '')) return []
  return (env.GIT_CONFIG_SYSTEM === undefined ? usual : [env.GIT_CONFIG_SYSTEM])
    .filter((file) => existsSync(file))
    .slice(0, 1)
}

function readSettings(file: string): string {
  try {
    return statSync(file).size > MAX_BYTES ? 'external' : readFileSync(file, 'latin1')
  } catch {
    return '' // git cannot read it either.
  }
}

interface Copying {
  home: string
  folder: string
  /** By path. */
  copies: Map<string, string>
  seen: Set<string>
  found: { leftOut: boolean }
}

/** A file of settings without what is left out; what it includes is replaced by copies of that. */
function plainText(file: string, depth: number, copying: Copying): string {
  copying.seen.add(file)
  const lines = entriesOf(file).flatMap((entry) => {
    if (isLeftOut(entry)) {
      copying.found.leftOut = true
      return []
    }
    const includes = /^include(?:if\..*)?\.path$/s.test(entry.name)
    if (!includes) return line(entry)
    const included = entry.value && includedPath(entry.value, file, copying.home)
    if (!included || depth >= MAX_DEPTH || copying.seen.size > 200) return []
    const text = existsSync(included) ? plainText(included, depth + 1, copying) : ''
    copying.seen.add(included)
    const here = bytesOf(`${dirname(file)}/`)
    const name = entry.name.replace(/^(includeif\.gitdir(?:\/i)?:)\.\//s, (_, before: string) => before + here)
    return line({ name, value: bytesOf(keep(copying.copies, copying.folder, text)) })
  })
  return lines.join('')
}

/** As git reads them; reading settings starts nothing. */
function entriesOf(file: string): Entry[] {
  const args = ['config', '--file', file, '--no-includes', '--null', '--list']
  const { PATH = '/usr/bin:/bin' } = process.env
  try {
    const text = execFileSync('git', args, {
      ...{ encoding: 'latin1', timeout: 5000, maxBuffer: 8 * MAX_BYTES, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] },
      env: { PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    })
    return text
      .split('\0')
      .filter(Boolean)
      .map((each) => {
        const end = each.indexOf('\n')
        return end < 0 ? { name: each, value: null } : { name: each.slice(0, end), value: each.slice(end + 1) }
      })
  } catch {
    return [] // git refuses a file like this whenever it reads it; without it there is nothing to start.
  }
}

/** Settings are handled byte by byte, since nothing says how they are written. */
const bytesOf = (path: string): string => Buffer.from(path).toString('latin1')
const pathOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString()

function includedPath(bytes: string, file: string, home: string): string | null {
  const value = pathOf(bytes)
  if (value.startsWith('~/')) return join(home, value.slice(2))
  return value.startsWith('~') || value.startsWith('%(') ? null : resolve(dirname(file), value)
}

/** An entry as text, each with its own section. */
function line({ name, value }: Entry): string {
  const [section = '', rest = ''] = split(name, name.indexOf('.'))
  const dot = rest.lastIndexOf('.')
  const [between, key] = dot < 0 ? [null, rest] : [rest.slice(0, dot), rest.slice(dot + 1)]
  const head = between === null ? `[${section}]` : `[${section} "${between.replace(/[\\"]/g, '\\$&')}"]`
  return `${head}\n\t${key}${value === null ? '' : ` = "${escaped(value)}"`}\n`
}

const split = (text: string, at: number): [string, string] => [text.slice(0, at), text.slice(at + 1)]

const escaped = (value: string): string =>
  value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\b', '\\b')

/** Named by its content, so that a command that is reading an older one finds it whole. */
function keep(copies: Map<string, string>, folder: string, text: string): string {
  const path = join(folder, `${createHash('sha256').update(text).digest('hex').slice(0, 32)}.gitconfig`)
  copies.set(path, text)
  return path
}

function write(folder: string, copies: ReadonlyMap<string, string>): void {
  if (copies.size === 0) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const [path, text] of copies)
    if (!existsSync(path)) writeFileSync(path, text, { encoding: 'latin1', mode: 0o600 })
  // Those of earlier settings, but not the last ones: a command may be about to read them.
  const old = readdirSync(folder).filter((name) => name.endsWith('.gitconfig') && !copies.has(join(folder, name)))
  const dayAgo = Date.now() - 86_400_000
  for (const name of old) if (statSync(join(folder, name)).mtimeMs < dayAgo) rmSync(join(folder, name), { force: true })
}

const stampOf = (files: readonly string[]): string =>
  files
    .map((file) => {
      const stats = statSync(file, { throwIfNoEntry: false })
      return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : '-'
    })
    .join('\n')

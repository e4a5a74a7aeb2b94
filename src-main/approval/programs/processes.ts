import type { Danger } from '../finding'
import type { Field } from '../shell/field'
import { operandsOf } from './dangers'
import { type Doubt, doubt, type Family } from './facts'

/** Names whose end takes the session, the app or the machine along. */
export const VITAL_PROCESSES: readonly string[] =
  `node electron deckhand bash zsh sh fish systemd init launchd sshd xorg gnome-shell kwin plasmashell dbus-daemon code
  tmux login windowserver loginwindow finder explorer`.split(/\s+/)

const OTHERS: Danger = { word: 'kill', reason: 'ends processes that it did not start' }

/** Processes: listing, finding and ending them. */
export const PROCESSES: Family = {
  ps: { reads: psReading, looksAtMachine: true },
  pgrep: { opens: 'none', findsProcesses: true, looksAtMachine: true },
  pidof: { findsProcesses: true, looksAtMachine: true },
  // Left out are options that look up names in the network, read another file, or go on without an end.
  who: { reads: whoReading, looksAtMachine: true },
  w: { reads: { short: 'hsfio', operands: 'text', max: 1 }, looksAtMachine: true },
  last: { reads: { short: 'aFiRwxn:', operands: 'text' }, looksAtMachine: true },
  pstree: { reads: { short: 'acghlnpsStTuUAG', operands: 'text', max: 1 }, looksAtMachine: true },
  ss: { reads: { short: 'tuwxanlpesmioH046', operands: 'none' }, looksAtMachine: true },
  netstat: { reads: netstatReading, looksAtMachine: true },
  ifconfig: { reads: ifconfigReading, looksAtMachine: true },
  ip: { reads: ipReading, looksAtMachine: true },
  'top htop lsof vmstat iostat pmap': { looksAtMachine: true },
  kill: { danger: killDanger, endsProcesses: true, purpose: 'ends processes' },
  'pkill killall': { danger: killByName, purpose: 'ends processes by their name' },
  skill: { danger: killByName },
  taskkill: {
    danger: (_args, words) =>
      words.some((word) => /^(?:node|electron|deckhand|explorer|csrss|winlogon)(?:\.exe)?$/i.test(word))
        ? OTHERS
        : null,
  },
  fuser: {
    danger: (_args, words) =>
      words.some((word) => /^-[a-z]*k/.test(word)) && words.includes('/')
        ? { word: 'kill', reason: 'ends every process' }
        : null,
  },
}

const PS_COLUMNS =
  /^(?:(?:pid|ppid|pgid|sid|uid|gid|user|group|ruser|euser|comm|cmd|command|args|stat|state|s|pcpu|%cpu|pmem|%mem|etime|etimes|time|rss|vsz|sz|tty|tt|start|lstart|start_time|ni|pri|nlwp|psr|wchan)=?,?)+$/

/** `ps auxe` prints every environment it can get. */
function psReading(words: readonly string[]): Doubt | null {
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (/^(?:a?u?x?w*f?|-e?A?a?f?F?l?j?w*H?|--forest|--no-headers?|-?\d+(?:,\d+)*)$/.test(word)) continue
    if (/^(?:-[eA]*o|--format|o|a?x?o)$/.test(word) && PS_COLUMNS.test(words[index + 1] ?? '')) index++
    else if (/^-[eA]*o/.test(word) && PS_COLUMNS.test(word.replace(/^-[eA]*o/, ''))) continue
    else if (/^(?:-[puCUtg]|--ppid|--pid|--user)$/.test(word) && /^[\w.,-]+$/.test(words[index + 1] ?? '')) index++
    else if (!/^--(?:sort|pid|ppid)=[\w,%+-]+$/.test(word))
      return doubt('program', `ps ${word} may tell more than it should`)
  }
  return null
}

/** An operand is a file, except in `who am i`. */
function whoReading(words: readonly string[]): Doubt | null {
  const plain = words.join(' ') === 'am i' || words.every((word) => /^-[abdHlmpqrsTtu]+$/.test(word))
  return plain ? null : doubt('program', 'who may read another file or look up names')
}

/** Without `-n` it asks name servers about every address. */
function netstatReading(words: readonly string[]): Doubt | null {
  const plain = words.length > 0 && words.every((word) => /^-[arnltupieswWgx46]+$/.test(word))
  return plain && words.some((word) => word.includes('n')) ? null : doubt('program', 'netstat may use the network')
}

const INTERFACE = /^(?!-)[\w.:@-]{1,32}$/

/** More than one name changes an interface. */
function ifconfigReading(words: readonly string[]): Doubt | null {
  const [name = 'lo', ...more] = words.filter((word) => !/^-[as]$/.test(word))
  return more.length === 0 && INTERFACE.test(name) ? null : doubt('program', 'ifconfig may change an interface')
}

const IP_SHOWS =
  /^(?:-(?:4|6|o|br|brief|s|c|j|p|d) )*(?:a|addr|address|l|link|r|route|n|neigh|rule)(?: (?:s|sh|show|l|ls|list)(?: (?:dev )?(?!-)[\w.:@]{1,32})?)?$/

function ipReading(words: readonly string[]): Doubt | null {
  return IP_SHOWS.test(words.join(' ')) ? null : doubt('program', 'ip may change the network')
}

function killDanger(_args: readonly Field[], words: readonly string[]): Danger | null {
  const operands = words.filter(
    (word, index) =>
      !(index === 0 && /^-(?:[A-Za-z]+\d*|\d+)$/.test(word) && words.length > 1) &&
      word !== '--' &&
      !/^-[sn]$/.test(words[index - 1] ?? '') &&
      !/^-[snlL]$/.test(word),
  )
  return operands.some((word) => /^-1$|^[01]$|^-0$/.test(word))
    ? { word: 'kill', reason: 'ends every process, or the first one' }
    : null
}

function killByName(args: readonly Field[], words: readonly string[]): Danger | null {
  if (words.some((word) => /^(?:-u|-U|-v|--inverse|--euid|--uid|--user|-t|-G|-g)/.test(word))) return OTHERS
  const names = operandsOf(args).filter(
    (_, index, all) => !(all.length > 1 && index === 0 && /^\d+$|^SIG/.test(all[0]?.text ?? '')),
  )
  return names.some(({ text, unknown }) => unknown || namesVitalProcess(text)) ? OTHERS : null
}

function namesVitalProcess(text: string): boolean {
  if (/^[.*+?^$()[\]|\s]*$/.test(text)) return true
  try {
    const pattern = new RegExp(`^(?:.*/)?(?:${text})$`, 'i')
    const loose = new RegExp(text, 'i')
    return VITAL_PROCESSES.some((name) => pattern.test(name) || (text.length <= 2 && loose.test(name)))
  } catch {
    // Not an expression that can be checked.
    return true
  }
}

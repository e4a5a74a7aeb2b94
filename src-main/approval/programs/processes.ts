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
  'top htop pstree lsof ss netstat ip ifconfig who w last vmstat iostat pmap': { looksAtMachine: true },
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

import type { Danger } from '../finding'
import { isDevice } from '../paths/vital-paths'
import type { Field } from '../shell/field'
import { ADMIN, type DangerCheck, DISK, operandsOf, POWER } from './danger-check'

/** Programs that switch off, end processes, partition disks or arrange for something to run later. */
export const SYSTEM_CHECKS: readonly (readonly [string, DangerCheck])[] = [
  ['init', (_args, words) => (/^[0-6sS]$/.test(words.at(-1) ?? '') ? POWER : null)],
  ['telinit', () => POWER],
  ['systemctl', systemctlCheck],
  [
    'loginctl',
    (_args, words) =>
      words.some((word) =>
        /^(?:poweroff|reboot|halt|suspend|hibernate|kill-user|terminate-user|terminate-seat)$/.test(word),
      )
        ? POWER
        : null,
  ],
  [
    'launchctl',
    (_args, words) =>
      /^(?:reboot|load|bootstrap|submit|enable|bootout)$/.test(words[0] ?? '')
        ? { word: 'config', reason: 'changes what starts by itself' }
        : null,
  ],
  ['busctl', busCheck],
  ['dbus-send', busCheck],
  ['gdbus', busCheck],
  ['qdbus', busCheck],
  ['wmic', busCheck],
  ['rundll32', busCheck],
  ['kill', killCheck],
  ['pkill', killByName],
  ['killall', killByName],
  ['skill', killByName],
  [
    'taskkill',
    (_args, words) =>
      words.some((word) => /^(?:node|electron|deckhand|explorer|csrss|winlogon)(?:\.exe)?$/i.test(word))
        ? { word: 'kill', reason: 'ends processes that it did not start' }
        : null,
  ],
  [
    'fuser',
    (_args, words) =>
      words.some((word) => /^-[a-z]*k/.test(word)) && words.includes('/')
        ? { word: 'kill', reason: 'ends every process' }
        : null,
  ],
  ['format', (_args, words) => (words.some((word) => /^[a-z]:/i.test(word)) ? DISK : null)],
  [
    'fdisk',
    (_args, words) => (words.some((word) => /^(?:-l|--list|-s|-v|-V|--version|--help|-h)/.test(word)) ? null : DISK),
  ],
  [
    'sfdisk',
    (_args, words) =>
      words.some((word) => /^(?:-l|-d|-s|-V|-J|--list|--dump|--json|--verify|--show)/.test(word)) ? null : DISK,
  ],
  [
    'parted',
    (_args, words) =>
      words.every((word) => /^(?:-l|--list|-s|-m|print|unit|\/dev\/.*|[kMGT]?i?B|free|all|--version|-v)$/.test(word)) &&
      words.some((word) => /^(?:-l|--list|print|--version|-v)$/.test(word))
        ? null
        : DISK,
  ],
  [
    'wipefs',
    (_args, words) => (words.some((word) => /^(?:-[a-zA-Z]*[ao]|--al|--of|--all|--offset)/.test(word)) ? DISK : null),
  ],
  [
    'hdparm',
    (_args, words) =>
      words.some((word) =>
        /^--(?:security|trim|write|make-bad|drq|fwdownload|dco|yes|sanitize)|^-[a-z]*[YWFfNp]/.test(word),
      )
        ? DISK
        : null,
  ],
  [
    'cryptsetup',
    (_args, words) =>
      words.some((word) =>
        /^(?:luksFormat|erase|luksErase|luksKillSlot|luksRemoveKey|luksAddKey|luksChangeKey|reencrypt|open|luksOpen|format|create)$/i.test(
          word,
        ),
      )
        ? DISK
        : null,
  ],
  [
    'nvme',
    (_args, words) => (/^(?:format|sanitize|write|dsm|delete-ns|write-zeroes)/.test(words[0] ?? '') ? DISK : null),
  ],
  [
    'diskutil',
    (_args, words) =>
      /^(?:list|info|activity|listFilesystems|verifyDisk|verifyVolume|apfs|cs|ap)$/i.test(words[0] ?? '') &&
      !words.some((word) => /^(?:erase|delete|resize|add|create|partition|zero|random)/i.test(word))
        ? null
        : DISK,
  ],
  ['hdiutil', (_args, words) => (words.some((word) => isDevice(word)) ? DISK : null)],
  ['cipher', (_args, words) => (words.some((word) => /^\/w/i.test(word)) ? DISK : null)],
  ['zfs', (_args, words) => (/^(?:destroy|rollback)$/.test(words[0] ?? '') ? DISK : null)],
  ['btrfs', (_args, words) => (words.includes('delete') ? DISK : null)],
  ['mount', (_args, words) => (words.some((word) => !word.startsWith('-')) ? ADMIN : null)],
  ['umount', () => ADMIN],
  [
    'sysctl',
    (_args, words) => (words.some((word) => /^-[a-z]*[wp]|^--(?:write|load|system)|=/.test(word)) ? ADMIN : null),
  ],
  ['setenforce', () => ADMIN],
  ['ufw', (_args, words) => (/^(?:status|version|show|app)$/.test(words[0] ?? '') ? null : ADMIN)],
  ['nft', (_args, words) => (words.includes('list') ? null : ADMIN)],
  ['iptables', firewallCheck],
  ['ip6tables', firewallCheck],
  [
    'xargs',
    (_args, words) =>
      words.some(
        (word, index) =>
          /^(?:-P0+|--max-procs=0+)$/.test(word) ||
          (/^(?:-P|--max-procs)$/.test(word) && /^0+$/.test(words[index + 1] ?? '')),
      )
        ? { word: 'run', reason: 'starts processes without end' }
        : null,
  ],
  [
    'crontab',
    (_args, words) =>
      words.length === 1 && words[0] === '-l' ? null : { word: 'config', reason: 'changes what runs by itself' },
  ],
  [
    'at',
    (_args, words) =>
      words.length === 1 && /^-[lV]$/.test(words[0] ?? '')
        ? null
        : { word: 'config', reason: 'changes what runs by itself' },
  ],
  ['batch', () => ({ word: 'config', reason: 'changes what runs by itself' })],
  ['schtasks', () => ({ word: 'config', reason: 'changes what runs by itself' })],
]

function firewallCheck(_args: readonly Field[], words: readonly string[]): Danger | null {
  return words.some((word) => /^-[nv]*[LS]|^--list/.test(word)) ? null : ADMIN
}

function systemctlCheck(_args: readonly Field[], words: readonly string[]): Danger | null {
  const verb = words.find((word) => !word.startsWith('-')) ?? ''
  if (
    /^(?:poweroff|reboot|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|sleep|rescue|emergency|default|exit|isolate|switch-root)$/.test(
      verb,
    )
  )
    return POWER
  const target = words.some((word) =>
    /^(?:poweroff|reboot|halt|shutdown|rescue|emergency|kexec|suspend|hibernate|sleep|ctrl-alt-del)\.target$/.test(
      word,
    ),
  )
  if (target && /^(?:start|isolate)$/.test(verb)) return POWER
  return /^(?:enable|disable|mask|link|edit|set-default|revert|preset|set-environment|import-environment)$/.test(verb)
    ? { word: 'config', reason: 'changes what starts by itself' }
    : null
}

function busCheck(_args: readonly Field[], words: readonly string[]): Danger | null {
  return words.some(
    (word) =>
      /\b(?:power ?off|reboot|halt|suspend|hibernate|shutdown|shutdownex|logout|exitwindows\w*|setsuspendstate)\b/i.test(
        word,
      ) || /Manager\.?\s*(?:PowerOff|Reboot|Halt|Suspend|Hibernate)/.test(word),
  )
    ? POWER
    : null
}

/** Names whose end takes the session, the app or the machine along. */
export const VITAL_PROCESSES = [
  'node',
  'electron',
  'deckhand',
  'bash',
  'zsh',
  'sh',
  'fish',
  'systemd',
  'init',
  'launchd',
  'sshd',
  'xorg',
  'gnome-shell',
  'kwin',
  'plasmashell',
  'dbus-daemon',
  'code',
  'tmux',
  'login',
  'windowserver',
  'loginwindow',
  'finder',
  'explorer',
]

function killCheck(_args: readonly Field[], words: readonly string[]): Danger | null {
  const operands = words.filter(
    (word, index) =>
      !(index === 0 && /^-(?:[A-Za-z]+\d*|\d+)$/.test(word) && words.length > 1) &&
      word !== '--' &&
      !/^-[sn]$/.test(words[index - 1] ?? '') &&
      !/^-[snlL]$/.test(word),
  )
  if (operands.some((word) => /^-1$|^[01]$|^-0$/.test(word)))
    return { word: 'kill', reason: 'ends every process, or the first one' }
  return null
}

function killByName(args: readonly Field[], words: readonly string[]): Danger | null {
  const danger: Danger = { word: 'kill', reason: 'ends processes that it did not start' }
  if (words.some((word) => /^(?:-u|-U|-v|--inverse|--euid|--uid|--user|-t|-G|-g)/.test(word))) return danger
  const names = operandsOf(args).filter(
    (_, index, all) => !(all.length > 1 && index === 0 && /^\d+$|^SIG/.test(all[0]?.text ?? '')),
  )
  for (const { text, unknown } of names) {
    if (unknown) return danger
    try {
      const pattern = new RegExp(`^(?:.*/)?(?:${text})$`, 'i')
      const loose = new RegExp(text, 'i')
      if (VITAL_PROCESSES.some((name) => pattern.test(name) || (text.length <= 2 && loose.test(name)))) return danger
      if (/^[.*+?^$()[\]|\s]*$/.test(text)) return danger
    } catch {
      // Not an expression that can be checked.
      return danger
    }
  }
  return null
}

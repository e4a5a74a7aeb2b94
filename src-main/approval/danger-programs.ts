import { isDevice, possiblePaths, vitalTarget } from './danger-targets'
import type { Danger } from './finding'
import { activeSetting, readGitConfig } from './git-config'
import { inWorkspace, isInside, type Places } from './paths'
import { protectedReason } from './protected-paths'
import type { Field } from './shell-fields'

interface Context {
  cwds: readonly (string | null)[]
  places: Places
}
type Check = (args: readonly Field[], words: readonly string[], context: Context) => Danger | null

const ADMIN: Danger = { word: 'admin', reason: 'asks for the rights of the administrator' }
const POWER: Danger = { word: 'power', reason: 'switches the computer off or restarts it' }
const DISK: Danger = { word: 'disk', reason: 'erases or repartitions a disk' }
const PUBLISH: Danger = { word: 'publish', reason: 'publishes something for everybody to see' }

/** Programs that are dangerous whatever they are told. */
const ALWAYS = new Map<string, Danger>()
for (const name of `sudo sudoedit su doas run0 pkexec dzdo pfexec ksu please gosu su-exec runuser gsudo runas systemd-run chroot nsenter
  capsh setpriv machinectl visudo vipw vigr passwd chpasswd usermod useradd userdel groupmod adduser deluser setcap insmod rmmod modprobe kexec
  pivot_root sg newgrp chsh polkit-agent mokutil efibootmgr csrutil spctl nvram bless dscl`.split(/\s+/))
  ALWAYS.set(name, ADMIN)
for (const name of `shutdown reboot poweroff halt pm-suspend pm-hibernate systemsoftreboot stop-computer restart-computer killall5`.split(
  /\s+/,
))
  ALWAYS.set(name, POWER)
for (const name of `mke2fs mkswap mkntfs mkdosfs mkexfatfs newfs newfs_apfs newfs_hfs blkdiscard cfdisk gdisk sgdisk diskpart clear-disk format-volume
  initialize-disk pvcreate pvremove vgremove lvremove zpool mdadm dmsetup badblocks nwipe scrub fsfreeze swapoff vssadmin`.split(
  /\s+/,
))
  ALWAYS.set(name, DISK)

/** Programs that are dangerous only with certain arguments. */
const SOMETIMES: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['rm', deleteCheck],
  ['rmdir', deleteCheck],
  ['unlink', deleteCheck],
  ['srm', deleteCheck],
  ['trash', deleteCheck],
  ['rimraf', (args, words, context) => deleteCheck([field('-r'), ...args], ['-r', ...words], context)],
  ['del-cli', (args, words, context) => deleteCheck([field('-r'), ...args], ['-r', ...words], context)],
  ['del', windowsDelete],
  ['erase', windowsDelete],
  ['rd', windowsDelete],
  ['remove-item', windowsDelete],
  ['find', findCheck],
  [
    'mv',
    (args, _words, context) =>
      vitalOperands(operandsOf(args).slice(0, -1), 'moves away', context) ?? lastWritten(args, context),
  ],
  ['cp', (args, _words, context) => lastWritten(args, context)],
  ['install', (args, _words, context) => lastWritten(args, context)],
  ['ln', (args, _words, context) => lastWritten(args, context)],
  ['tee', (args, _words, context) => allWritten(args, context)],
  ['sponge', (args, _words, context) => allWritten(args, context)],
  ['touch', (args, _words, context) => allWritten(args, context)],
  ['truncate', (args, _words, context) => allWritten(args, context)],
  [
    'shred',
    (args, _words, context) => vitalOperands(operandsOf(args), 'destroys', context) ?? allWritten(args, context),
  ],
  ['sed', inPlaceCheck],
  ['gsed', inPlaceCheck],
  ['perl', inPlaceCheck],
  ['dd', ddCheck],
  ['chmod', permissionCheck],
  ['chown', permissionCheck],
  ['chgrp', permissionCheck],
  ['chattr', permissionCheck],
  ['setfacl', permissionCheck],
  ['icacls', permissionCheck],
  ['takeown', permissionCheck],
  [
    'rsync',
    (args, words, context) =>
      (words.some((word) => /^--del/.test(word))
        ? vitalOperands(operandsOf(args).slice(-1), 'deletes in', context)
        : null) ?? lastWritten(args, context),
  ],
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
  ['docker', dockerCheck],
  ['podman', dockerCheck],
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
  ['git', gitCheck],
  [
    'crontab',
    (_args, words) =>
      words.length === 1 && words[0] === '-l' ? null : { word: 'config', reason: 'changes what runs by itself' },
  ],
  ['at', () => ({ word: 'config', reason: 'changes what runs by itself' })],
  ['batch', () => ({ word: 'config', reason: 'changes what runs by itself' })],
  ['schtasks', () => ({ word: 'config', reason: 'changes what runs by itself' })],
  ['npm', packageCheck],
  ['pnpm', packageCheck],
  ['yarn', packageCheck],
  ['bun', packageCheck],
  ['cargo', (_args, words) => (/^(?:publish|yank|owner|login)$/.test(words[0] ?? '') ? PUBLISH : null)],
  ['gem', (_args, words) => (/^(?:push|yank|owner)$/.test(words[0] ?? '') ? PUBLISH : null)],
  ['twine', (_args, words) => (words.includes('upload') ? PUBLISH : null)],
  ['poetry', (_args, words) => (words.includes('publish') ? PUBLISH : null)],
  ['flit', (_args, words) => (words.includes('publish') ? PUBLISH : null)],
  ['hatch', (_args, words) => (words.includes('publish') ? PUBLISH : null)],
  ['pdm', (_args, words) => (words.includes('publish') ? PUBLISH : null)],
  ['uv', (_args, words) => (words[0] === 'publish' ? PUBLISH : null)],
  ['lerna', (_args, words) => (words[0] === 'publish' ? PUBLISH : null)],
  ['changeset', (_args, words) => (words[0] === 'publish' ? PUBLISH : null)],
  ['semantic-release', () => PUBLISH],
  ['vsce', (_args, words) => (/^(?:publish|unpublish)$/.test(words[0] ?? '') ? PUBLISH : null)],
  ['ovsx', (_args, words) => (words[0] === 'publish' ? PUBLISH : null)],
  ['mvn', (_args, words) => (words.some((word) => /^(?:deploy|release:\w+)$/.test(word)) ? PUBLISH : null)],
  ['gradle', (_args, words) => (words.some((word) => /publish/i.test(word) && !/local/i.test(word)) ? PUBLISH : null)],
  ['gradlew', (_args, words) => (words.some((word) => /publish/i.test(word) && !/local/i.test(word)) ? PUBLISH : null)],
  ['dotnet', (_args, words) => (words[0] === 'nuget' && words[1] === 'push' ? PUBLISH : null)],
  ['nuget', (_args, words) => (words[0] === 'push' ? PUBLISH : null)],
  [
    'gh',
    (_args, words) =>
      /^(?:release create|repo delete|repo edit|secret set|auth token|release delete|gist create)$/.test(
        words.slice(0, 2).join(' '),
      )
        ? words[1] === 'token'
          ? { word: 'secret', reason: 'prints a token' }
          : PUBLISH
        : null,
  ],
  ['goreleaser', (_args, words) => (words[0] === 'release' ? PUBLISH : null)],
  ['helm', (_args, words) => (words[0] === 'push' ? PUBLISH : null)],
  ['pod', (_args, words) => (words[0] === 'trunk' ? PUBLISH : null)],
  [
    'security',
    (_args, words) =>
      /^(?:find-|dump-|export)/.test(words[0] ?? '') ? { word: 'secret', reason: 'reads the keychain' } : null,
  ],
  [
    'gpg',
    (_args, words) =>
      words.some((word) => /^--export-secret/.test(word)) ? { word: 'secret', reason: 'exports a secret key' } : null,
  ],
  [
    'pass',
    (_args, words) =>
      words.length > 0 && !/^(?:ls|list|version|help)$/.test(words[0] ?? '')
        ? { word: 'secret', reason: 'reads a password' }
        : null,
  ],
  [
    'op',
    (_args, words) =>
      /^(?:read|item|document)$/.test(words[0] ?? '') ? { word: 'secret', reason: 'reads a password' } : null,
  ],
  [
    'secret-tool',
    (_args, words) =>
      /^(?:lookup|search)$/.test(words[0] ?? '') ? { word: 'secret', reason: 'reads a password' } : null,
  ],
  ['claude', mcpCheck],
  ['codex', mcpCheck],
  ['gemini', mcpCheck],
  ['deckhand', mcpCheck],
  [
    'code',
    (_args, words) =>
      words.some((word) => /^--add-mcp/.test(word)) ? { word: 'config', reason: 'configures an agent' } : null,
  ],
])

export function programDanger(name: string, fields: readonly Field[], context: Context): Danger | null {
  const always = ALWAYS.get(name) ?? (/^mkfs(?:\.|$)|^newfs/.test(name) ? DISK : undefined)
  const args = fields.slice(1)
  const words = args.map((each) => each.text)
  // Asking a program what it is does no harm.
  if (always)
    return words.length === 1 && /^(?:--help|--version)$/.test(words[0] ?? '')
      ? null
      : { ...always, reason: `${name} ${always.reason}` }
  return SOMETIMES.get(name)?.(args, words, context) ?? null
}

const field = (text: string): Field => ({ text, unknown: false, pattern: null })

function operandsOf(args: readonly Field[]): Field[] {
  const end = args.findIndex(({ text }) => text === '--')
  return args
    .filter(({ text }, index) => (end >= 0 && index > end) || !/^-./.test(text))
    .filter(({ text }, index) => !(text === '--' && index >= 0))
}

function vitalOperands(operands: readonly Field[], verb: string, { cwds, places }: Context): Danger | null {
  for (const operand of operands) {
    const reason = vitalTarget(operand, cwds, places)
    if (reason !== null) return { word: 'delete', reason: `${verb} ${reason}` }
  }
  return null
}

function deleteCheck(args: readonly Field[], words: readonly string[], context: Context): Danger | null {
  const end = words.indexOf('--')
  const options = end < 0 ? words : words.slice(0, end)
  // GNU takes `--rec` for `--recursive`.
  const recursive = options.some(
    (word) => /^-[A-Za-z]*[rR]/.test(word) || /^--r(?:e|$)/.test(word) || word === '--no-preserve-root',
  )
  const operands = operandsOf(args)
  if (recursive) return vitalOperands(operands, 'deletes', context) ?? allWritten(args, context)
  for (const operand of operands) {
    // Without -r only single files go; those of the system and of repositories still matter.
    const reason = vitalTarget(operand, context.cwds, context.places)
    if (reason !== null && /system|repository|whole/.test(reason))
      return { word: 'delete', reason: `deletes from ${reason}` }
  }
  return allWritten(args, context)
}

function windowsDelete(_args: readonly Field[], words: readonly string[]): Danger | null {
  const everything =
    /^(?:[a-z]:\\?\*?(?:\.\*)?|[a-z]:\\(?:users|windows|program files).*|~|\/|%userprofile%|\$home|\$env:userprofile)$/i
  const recursive = words.some((word) => /^(?:\/s|-recurse|-r)$/i.test(word))
  return recursive && words.some((word) => everything.test(word))
    ? { word: 'delete', reason: 'deletes a whole drive or all of a user' }
    : null
}

function findCheck(args: readonly Field[], words: readonly string[], { cwds, places }: Context): Danger | null {
  const deletes = words.some(
    (word, index) =>
      word === '-delete' ||
      (/^-(?:exec|ok)(?:dir)?$/.test(word) && /^(?:.*\/)?(?:rm|unlink|shred|srm)$/.test(words[index + 1] ?? '')),
  )
  if (!deletes) return writtenPaths(valuesAfter(args, /^-f(?:print0?|printf|ls)$/), { cwds, places })
  const starts = args.slice(0, words.findIndex((word) => /^[-(!]/.test(word)) >>> 0)
  const filtered = words.some((word) => /^-(?:i?name|i?path|i?wholename|i?regex|empty)$/.test(word))
  for (const start of starts.length > 0 ? starts : [field('.')]) {
    const reason = vitalTarget(start, cwds, places)
    const own =
      filtered &&
      possiblePaths(start, cwds, places).every((path) => isInside(path, places.workspace) && !path.includes('/.git'))
    if (reason !== null && !own) return { word: 'delete', reason: `deletes in ${reason}` }
  }
  return null
}

const valuesAfter = (args: readonly Field[], option: RegExp): Field[] =>
  args.filter((_, index) => index > 0 && option.test(args[index - 1]?.text ?? ''))

function writtenPaths(fields: readonly Field[], { cwds, places }: Context): Danger | null {
  for (const each of fields) {
    for (const path of possiblePaths(each, cwds, places)) {
      if (isDevice(path)) return { word: 'disk', reason: `writes to the device ${path}` }
      if (/^\/proc\/sysrq-trigger$|^\/sys\/power\//.test(path)) return POWER
      if (/^\/dev\//.test(path)) continue
      const protection = protectedReason(inWorkspace(path, places))
      if (protection !== null) return { word: 'config', reason: `changes ${path}: ${protection}` }
    }
  }
  return null
}

const allWritten = (args: readonly Field[], context: Context): Danger | null => writtenPaths(operandsOf(args), context)

/** The target, and what it would be called when the target is a folder. */
function lastWritten(args: readonly Field[], context: Context): Danger | null {
  const operands = operandsOf(args)
  const directory = [
    ...valuesAfter(args, /^(?:-t|--target-directory)$/),
    ...args
      .filter(({ text }) => text.startsWith('--target-directory='))
      .map((each) => ({ ...each, text: each.text.slice(19) })),
  ]
  const target = directory[0] ?? operands.at(-1)
  if (!target) return null
  const sources = directory.length > 0 ? operands : operands.slice(0, -1)
  const inside = sources.map((source) => ({
    ...target,
    text: `${target.text.replace(/\/+$/, '')}/${source.text.replace(/\/+$/, '').split('/').at(-1) ?? ''}`,
  }))
  return writtenPaths([target, ...inside], context)
}

function inPlaceCheck(args: readonly Field[], words: readonly string[], context: Context): Danger | null {
  return words.some((word) => /^(?:-[A-Za-z0-9]*i|--in)/.test(word)) ? allWritten(args, context) : null
}

function ddCheck(args: readonly Field[], _words: readonly string[], context: Context): Danger | null {
  for (const each of args) {
    const match = /^(of|if)=(.*)$/s.exec(each.text)
    if (!match) continue
    const found = writtenPaths([{ ...each, text: match[2] ?? '' }], context)
    if (found && (match[1] === 'of' || found.word === 'disk')) return found
  }
  return null
}

function permissionCheck(args: readonly Field[], words: readonly string[], context: Context): Danger | null {
  if (words.some((word) => /^[ugoa]*[+=][rwxX]*s[rwxX]*$|^[2467][0-7]{3}$/.test(word)))
    return { word: 'admin', reason: 'gives a program the rights of its owner' }
  const recursive = words.some((word) => /^-[A-Za-z]*R|^--rec/.test(word))
  for (const operand of operandsOf(args)) {
    const reason = vitalTarget(operand, context.cwds, context.places)
    if (reason === null || reason === 'the whole workspace') continue
    if (recursive || /whole|system|home folder/.test(reason))
      return { word: 'delete', reason: `changes the permissions of ${reason}` }
  }
  return null
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
      /\b(?:power ?off|reboot|halt|suspend|hibernate|shutdown|shutdownex|logout|exitwindows\w*)\b/i.test(word) ||
      /Manager\.?\s*(?:PowerOff|Reboot|Halt|Suspend|Hibernate)/.test(word),
  )
    ? POWER
    : null
}

/** Names whose end takes the session, the app or the machine along. */
const VITAL_PROCESSES = [
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

function killCheck(args: readonly Field[], words: readonly string[]): Danger | null {
  const operands = words.filter(
    (word, index) =>
      !(index === 0 && /^-(?:[A-Za-z]+\d*|\d+)$/.test(word) && words.length > 1) &&
      word !== '--' &&
      !/^-[sn]$/.test(words[index - 1] ?? '') &&
      !/^-[snlL]$/.test(word),
  )
  if (operands.some((word) => /^-1$|^[01]$|^-0$/.test(word)))
    return { word: 'kill', reason: 'ends every process, or the first one' }
  return args.some((each) => each.unknown) && /pgrep|pidof/.test(words.join(' '))
    ? { word: 'kill', reason: 'ends processes that it did not start' }
    : null
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

function dockerCheck(_args: readonly Field[], words: readonly string[]): Danger | null {
  if (words[0] === 'push' || (words[0] === 'image' && words[1] === 'push')) return PUBLISH
  return /^(?:system|volume)$/.test(words[0] ?? '') &&
    words[1] === 'prune' &&
    words.some((word) => /^(?:-a|--all|--volumes|-[a-z]*a[a-z]*)$/.test(word))
    ? { word: 'delete', reason: 'deletes everything that no container uses right now' }
    : null
}

function packageCheck(_args: readonly Field[], words: readonly string[]): Danger | null {
  const rest = words.filter((word) => !word.startsWith('-'))
  const verb = rest[0] === 'npm' ? rest[1] : rest[0]
  if (
    /^(?:publish|unpublish|deprecate|owner|dist-tag|token|adduser|access|star)$/.test(verb ?? '') &&
    !/^(?:ls|list)$/.test(rest[1] ?? '')
  )
    return PUBLISH
  if ((verb === 'config' && rest[1] === 'set') || (verb === 'set' && rest.length > 1))
    return { word: 'config', reason: 'changes how packages are installed and run' }
  return null
}

function gitCheck(args: readonly Field[], words: readonly string[], context: Context): Danger | null {
  let index = 0
  while (index < words.length && (words[index] as string).startsWith('-'))
    index += /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(words[index] as string) ? 2 : 1
  const verb = words[index]
  const rest = words.slice(index + 1)
  if (verb === 'push') {
    const forced = rest.some(
      (word) =>
        /^(?:-[a-z]*[fd][a-z]*|--force.*|--forc|--for|--mirror|--delete|--del.*|--prune)$/.test(word) ||
        /^\+|^:[^/]/.test(word),
    )
    if (forced) return { word: 'push', reason: 'overwrites or deletes what others have in the remote repository' }
  }
  if (verb === 'credential') return { word: 'secret', reason: 'reads a password' }
  if (verb === 'config') {
    const keys = rest.filter((word) => !word.startsWith('-'))
    const [key, value] = keys
    const reading =
      rest.some((word) => /^(?:--get.*|--list|-l|get|list)$/.test(word)) ||
      (keys.length < 2 && !rest.includes('--edit') && !rest.includes('-e'))
    const entries =
      key !== undefined && value !== undefined
        ? readGitConfig(`[${key.split('.')[0]}]\n${key.split('.').at(-1)} = x`)
        : null
    if (
      !reading &&
      (entries === null ||
        activeSetting([{ name: key?.toLowerCase() ?? '', value: value ?? '' }]) !== null ||
        /hookspath/i.test(key ?? ''))
    )
      return { word: 'config', reason: `sets ${key ?? 'the configuration'}, which may run a program` }
  }
  if (verb === 'rm' || verb === 'clean') return null
  return vitalGit(args, words, index, context)
}

/** `git worktree remove`, `git filter-repo`, `git reflog expire`: history that does not come back. */
function vitalGit(_args: readonly Field[], words: readonly string[], index: number, _context: Context): Danger | null {
  const [verb, sub] = [words[index], words[index + 1]]
  if (verb === 'filter-branch' || verb === 'filter-repo')
    return { word: 'delete', reason: 'rewrites the history of the repository' }
  if (verb === 'reflog' && (sub === 'expire' || sub === 'delete'))
    return { word: 'delete', reason: 'deletes the history of the repository' }
  if (verb === 'update-ref' && words.includes('-d'))
    return { word: 'delete', reason: 'deletes the history of the repository' }
  return null
}

function mcpCheck(_args: readonly Field[], words: readonly string[]): Danger | null {
  return words[0] === 'mcp' && /^(?:add|add-json|remove|install)/.test(words[1] ?? '')
    ? { word: 'config', reason: 'configures an agent' }
    : words.some((word) => /^--(?:dangerously|yolo|full-auto)/.test(word))
      ? { word: 'config', reason: 'starts an agent without its own questions' }
      : null
}

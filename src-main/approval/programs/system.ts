import type { Danger } from '../finding'
import type { Field } from '../shell/field'
import { scriptOptions, wordsWithSpaces } from './carried'
import { ADMIN, onVerb, onWord, POWER, RUNS_LATER, STARTS_LATER, unlessVerb, unlessWord } from './dangers'
import type { DangerCheck, Family, ProgramFacts } from './facts'
import { describesPackages } from './languages'

/** They speak to other programs by messages, some of which switch the computer off. */
const busDanger: DangerCheck = (_args, words) =>
  words.some(
    (word) =>
      /\b(?:power ?off|reboot|halt|suspend|hibernate|shutdown|shutdownex|logout|exitwindows\w*|setsuspendstate)\b/i.test(
        word,
      ) || /Manager\.?\s*(?:PowerOff|Reboot|Halt|Suspend|Hibernate)/.test(word),
  )
    ? POWER
    : null
const firewall: ProgramFacts = { danger: unlessWord(/^-[nv]*[LS]|^--list/, ADMIN) }
const becomesUser: ProgramFacts = { danger: ADMIN, carries: (args) => scriptOptions(args, ['-c', '--command']) }
const installs: ProgramFacts = { packages: 'installer' }

/** The rights of others, services, power, firewalls, packages of the system, and what runs by the clock. */
export const SYSTEM: Family = {
  'sudo doas': { danger: ADMIN, exactRules: true },
  su: { ...becomesUser, exactRules: true },
  runuser: becomesUser,
  [`sudoedit run0 pkexec dzdo pfexec ksu please gosu su-exec gsudo runas systemd-run chroot nsenter capsh setpriv
    machinectl visudo vipw vigr passwd chpasswd usermod useradd userdel groupmod adduser deluser setcap insmod rmmod
    modprobe kexec pivot_root sg newgrp chsh polkit-agent mokutil efibootmgr csrutil spctl nvram bless dscl bcdedit`]: {
    danger: ADMIN,
  },
  'shutdown reboot poweroff halt pm-suspend pm-hibernate systemsoftreboot stop-computer restart-computer killall5': {
    danger: POWER,
  },
  init: { danger: (_args, words) => (/^[0-6sS]$/.test(words.at(-1) ?? '') ? POWER : null) },
  telinit: { danger: () => POWER },
  systemctl: { danger: serviceDanger, purpose: 'changes system services', talksOutside: true },
  loginctl: {
    danger: onWord(/^(?:poweroff|reboot|halt|suspend|hibernate|kill-user|terminate-user|terminate-seat)$/, POWER),
    talksOutside: true,
  },
  launchctl: { danger: onVerb(/^(?:reboot|load|bootstrap|submit|enable|bootout)$/, STARTS_LATER) },
  'busctl dbus-send gdbus': { danger: busDanger, talksOutside: true },
  'qdbus wmic rundll32': { danger: busDanger },
  'journalctl notify-send xdg-open': { talksOutside: true },
  umount: { danger: () => ADMIN, opens: 'none' },
  mount: { danger: (_args, words) => (words.some((word) => !word.startsWith('-')) ? ADMIN : null), opens: 'none' },
  sysctl: { danger: onWord(/^-[a-z]*[wp]|^--(?:write|load|system)|=/, ADMIN) },
  setenforce: { danger: () => ADMIN },
  ufw: { danger: unlessVerb(/^(?:status|version|show|app)$/, ADMIN) },
  nft: { danger: unlessWord(/^list$/, ADMIN) },
  'iptables ip6tables': firewall,
  'dnf yum pacman': installs,
  'apt apt-get': { ...installs, connects: /^(?:install|update|upgrade)$/ },
  brew: { ...installs, connects: /^(?:install|update|upgrade)$/, foreignText: describesPackages },
  crontab: {
    danger: (_args, words) => (words.length === 1 && words[0] === '-l' ? null : RUNS_LATER),
    purpose: 'changes scheduled jobs',
  },
  at: {
    runs: 'later',
    carries: wordsWithSpaces,
    danger: (_args, words) => (words.length === 1 && /^-[lV]$/.test(words[0] ?? '') ? null : RUNS_LATER),
  },
  batch: { runs: 'later', danger: () => RUNS_LATER },
  schtasks: { danger: () => RUNS_LATER },
}

function serviceDanger(_args: readonly Field[], words: readonly string[]): Danger | null {
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
    ? STARTS_LATER
    : null
}

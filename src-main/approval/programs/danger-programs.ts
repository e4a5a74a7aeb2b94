import type { Danger } from '../finding'
import type { Field } from '../shell/field'
import { ADMIN, type DangerCheck, type DangerContext, DISK, POWER } from './danger-check'
import { FILE_CHECKS } from './danger-files'
import { OUTWARD_CHECKS } from './danger-outward'
import { SYSTEM_CHECKS } from './danger-system'

/** Programs that are dangerous whatever they are told. */
const ALWAYS = new Map<string, Danger>()
for (const name of `sudo sudoedit su doas run0 pkexec dzdo pfexec ksu please gosu su-exec runuser gsudo runas systemd-run chroot nsenter
  capsh setpriv machinectl visudo vipw vigr passwd chpasswd usermod useradd userdel groupmod adduser deluser setcap insmod rmmod modprobe kexec
  pivot_root sg newgrp chsh polkit-agent mokutil efibootmgr csrutil spctl nvram bless dscl bcdedit`.split(/\s+/))
  ALWAYS.set(name, ADMIN)
for (const name of `shutdown reboot poweroff halt pm-suspend pm-hibernate systemsoftreboot stop-computer restart-computer killall5`.split(
  /\s+/,
))
  ALWAYS.set(name, POWER)
for (const name of `mke2fs mkswap mkntfs mkdosfs mkexfatfs newfs newfs_apfs newfs_hfs blkdiscard cfdisk gdisk sgdisk diskpart clear-disk format-volume
  initialize-disk pvcreate pvremove vgremove lvremove zpool mdadm dmsetup badblocks nwipe scrub fsfreeze swapoff vssadmin wbadmin`.split(
  /\s+/,
))
  ALWAYS.set(name, DISK)

/** Programs that are dangerous only with certain arguments. */
const SOMETIMES: ReadonlyMap<string, DangerCheck> = new Map([...FILE_CHECKS, ...SYSTEM_CHECKS, ...OUTWARD_CHECKS])

/** What a program of this name would do that is never automatic. */
export function programDanger(name: string, fields: readonly Field[], context: DangerContext): Danger | null {
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

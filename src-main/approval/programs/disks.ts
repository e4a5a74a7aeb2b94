import { isDevice } from '../paths/vital-paths'
import { DISK, onVerb, onWord, unlessWord } from './dangers'
import type { Family } from './facts'

const ERASES = { danger: DISK }

/** Disks, partitions and file systems. */
export const DISKS: Family = {
  [`mke2fs mkswap mkntfs mkdosfs mkexfatfs blkdiscard cfdisk gdisk sgdisk diskpart clear-disk format-volume
    initialize-disk pvcreate pvremove vgremove lvremove zpool mdadm dmsetup badblocks nwipe scrub fsfreeze swapoff
    vssadmin wbadmin`]: ERASES,
  '^mkfs(?:\\.|$)|^newfs': ERASES,
  'lsblk blkid findmnt lsattr udevadm smartctl': { opens: 'none' },
  format: { danger: onWord(/^[a-z]:/i, DISK) },
  fdisk: { danger: unlessWord(/^(?:-l|--list|-s|-v|-V|--version|--help|-h)/, DISK) },
  sfdisk: { danger: unlessWord(/^(?:-l|-d|-s|-V|-J|--list|--dump|--json|--verify|--show)/, DISK) },
  parted: {
    danger: (_args, words) =>
      words.every((word) => /^(?:-l|--list|-s|-m|print|unit|\/dev\/.*|[kMGT]?i?B|free|all|--version|-v)$/.test(word)) &&
      words.some((word) => /^(?:-l|--list|print|--version|-v)$/.test(word))
        ? null
        : DISK,
  },
  wipefs: { danger: onWord(/^(?:-[a-zA-Z]*[ao]|--al|--of|--all|--offset)/, DISK) },
  hdparm: {
    danger: onWord(/^--(?:security|trim|write|make-bad|drq|fwdownload|dco|yes|sanitize)|^-[a-z]*[YWFfNp]/, DISK),
  },
  cryptsetup: {
    danger: onWord(
      /^(?:luksFormat|erase|luksErase|luksKillSlot|luksRemoveKey|luksAddKey|luksChangeKey|reencrypt|open|luksOpen|format|create)$/i,
      DISK,
    ),
  },
  nvme: { danger: onVerb(/^(?:format|sanitize|write|dsm|delete-ns|write-zeroes)/, DISK) },
  diskutil: {
    danger: (_args, words) =>
      /^(?:list|info|activity|listFilesystems|verifyDisk|verifyVolume|apfs|cs|ap)$/i.test(words[0] ?? '') &&
      !words.some((word) => /^(?:erase|delete|resize|add|create|partition|zero|random)/i.test(word))
        ? null
        : DISK,
  },
  hdiutil: { danger: (_args, words) => (words.some(isDevice) ? DISK : null) },
  cipher: { danger: onWord(/^\/w/i, DISK) },
  zfs: { danger: onVerb(/^(?:destroy|rollback)$/, DISK) },
  btrfs: { danger: onWord(/^delete$/, DISK) },
}

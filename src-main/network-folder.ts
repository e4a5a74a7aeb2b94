import { statfsSync } from 'node:fs'

/** Magic numbers of file systems that live on another machine: NFS, SMB and CIFS, AFS, Ceph, Lustre, sshfs and the like. */
const REMOTE = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x00c36400, 0x0bd00bd0, 0x65735546])

/** Whether a folder is on a network share, as far as the system tells. */
export function isOnNetwork(
  folder: string,
  kindOf: (folder: string) => number = (path) => statfsSync(path).type,
): boolean {
  try {
    return process.platform === 'linux' ? REMOTE.has(kindOf(folder) >>> 0) : folder.startsWith('\\\\')
  } catch {
    // A system that does not tell: what opens the database will find out whether it can.
    return false
  }
}

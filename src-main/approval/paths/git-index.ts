import { secretReason } from './secret-paths'

/** What the index of a repository tells about the files that git knows. */
export interface GitIndex {
  /** Files whose names look secret. */
  secrets: readonly { path: string; id: string }[]
  /** Folders that are repositories of their own, whether or not `.gitmodules` names them. */
  submodules: readonly string[]
  /** Some names are kept elsewhere: in a shared index, or folded into their folder. */
  incomplete: boolean
}

const LINK = 0o160000
const FOLDER = 0o40000
const EXTENDED = 0x4000
/** A quick look before the careful one: an index may hold a hundred thousand names. */
const MAYBE_SECRET =
  /env|rc|key|pem|p12|pfx|\.p8|jks|kdb|ppk|ovpn|tfvars|credential|secret|token|password|id_|history|netrc|htpasswd|config|ssh|aws|azure|gnupg|docker|kube|vault|wallet|shadow|sudoers|cookies|logins|signons|sqlite|terraform|boto|s3cfg|pass|cnf|db|login|web data|service|client|application|oci|pki|op\/|1password|mozilla|thunderbird|bluemix|electrum|bitcoin|gem|cargo|composer|nuget|m2|gradle|local|library|keystore|\.wallet|run\//i

/** Reads an index file of version 2, 3 or 4; `null` for anything else. */
export function readGitIndex(bytes: Buffer, idBytes = 20): GitIndex | null {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const version = bytes.readUInt32BE(4)
  const count = bytes.readUInt32BE(8)
  if (version < 2 || version > 4) return null
  const secrets: { path: string; id: string }[] = []
  const submodules: string[] = []
  let incomplete = false
  let at = 12
  let name = Buffer.alloc(0)
  for (let index = 0; index < count; index++) {
    const start = at
    if (start + 42 + idBytes > bytes.length) return null
    const mode = bytes.readUInt32BE(start + 24)
    const flags = bytes.readUInt16BE(start + 40 + idBytes)
    at = start + 42 + idBytes + (version >= 3 && flags & EXTENDED ? 2 : 0)
    if (version === 4) {
      const cut = readOffset(bytes, at)
      at = cut.next
      name = Buffer.concat([name.subarray(0, Math.max(0, name.length - cut.value)), upToNul(bytes, at)])
      at = bytes.indexOf(0, at) + 1
    } else {
      name = Buffer.from(upToNul(bytes, at))
      at = start + ((at - start + name.length + 8) & ~7)
    }
    if (at <= start) return null
    const kind = mode & 0o170000
    const path = name.toString()
    if (kind === LINK) submodules.push(path)
    else if (kind === FOLDER) incomplete = true
    else if (MAYBE_SECRET.test(path) && secretReason(path) !== null)
      secrets.push({ path, id: bytes.toString('hex', start + 40, start + 40 + idBytes) })
  }
  return { secrets, submodules, incomplete: incomplete || hasSharedPart(bytes, at) }
}

const upToNul = (bytes: Buffer, at: number): Buffer => {
  const end = bytes.indexOf(0, at)
  return bytes.subarray(at, end < 0 ? bytes.length : end)
}

/** A number as version 4 writes it: seven bits in each byte, and one added for each byte that follows. */
function readOffset(bytes: Buffer, start: number): { value: number; next: number } {
  let at = start
  let byte = bytes[at++] ?? 0
  let value = byte & 127
  while (byte & 128 && at < bytes.length) {
    byte = bytes[at++] ?? 0
    value = ((value + 1) << 7) | (byte & 127)
  }
  return { value, next: at }
}

/** Behind the entries stand extensions; `link` names another file with further entries. */
function hasSharedPart(bytes: Buffer, start: number): boolean {
  for (let at = start; at + 8 < bytes.length - 20; ) {
    if (bytes.toString('latin1', at, at + 4) === 'link') return true
    at += 8 + bytes.readUInt32BE(at + 4)
  }
  return false
}

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

/** One file in an index, with what it was like when git last looked at it. */
export interface IndexEntry {
  path: string
  /** The name of its content, in hexadecimal. */
  id: string
  kind: 'file' | 'submodule' | 'folder'
  size: number
  mtimeSeconds: number
  mtimeNanoseconds: number
  /** It is in conflict. */
  unmerged: boolean
  /** It is not there on purpose. */
  skipped: boolean
}

const LINK = 0o160000
const FOLDER = 0o40000
const EXTENDED = 0x4000
const SKIPPED = 0x4000
const STAGE = 0x3000
/** A quick look before the careful one: an index may hold a hundred thousand names. */
const MAYBE_SECRET =
  /env|rc|key|pem|p12|pfx|\.p8|jks|kdb|ppk|ovpn|tfvars|credential|secret|token|password|id_|history|netrc|htpasswd|config|ssh|aws|azure|gnupg|docker|kube|vault|wallet|shadow|sudoers|cookies|logins|signons|sqlite|terraform|boto|s3cfg|pass|cnf|db|login|web data|service|client|application|oci|pki|op\/|1password|mozilla|thunderbird|bluemix|electrum|bitcoin|gem|cargo|composer|nuget|m2|gradle|local|library|keystore|run\//i

/** Reads an index file of version 2, 3 or 4; `null` for anything else. */
export function readGitIndex(bytes: Buffer, idBytes = 20): GitIndex | null {
  const secrets: { path: string; id: string }[] = []
  const submodules: string[] = []
  let incomplete = false
  const end = eachEntry(bytes, idBytes, ({ path, id, kind }) => {
    if (kind === 'submodule') submodules.push(path)
    else if (kind === 'folder') incomplete = true
    else if (MAYBE_SECRET.test(path) && secretReason(path) !== null) secrets.push({ path, id })
  })
  return end === null ? null : { secrets, submodules, incomplete: incomplete || extension(bytes, end, 'link') !== null }
}

/** Whether something was added that is not committed: then git does not know yet which tree the index stands for. */
export function hasStaged(bytes: Buffer, end: number): boolean {
  const tree = extension(bytes, end, 'TREE')
  return bytes.readUInt32BE(8) > 0 && (tree === null || tree.toString('latin1', 1, 3) === '-1')
}

/** Calls `use` for every entry; answers where they end, or `null` for what is no index. */
export function eachEntry(bytes: Buffer, idBytes: number, use: (entry: IndexEntry) => void): number | null {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const version = bytes.readUInt32BE(4)
  const count = bytes.readUInt32BE(8)
  if (version < 2 || version > 4) return null
  let at = 12
  let name = Buffer.alloc(0)
  for (let index = 0; index < count; index++) {
    const start = at
    if (start + 44 + idBytes > bytes.length) return null
    const flags = bytes.readUInt16BE(start + 40 + idBytes)
    const extended = version >= 3 && (flags & EXTENDED) !== 0
    const more = extended ? bytes.readUInt16BE(start + 42 + idBytes) : 0
    at = start + 42 + idBytes + (extended ? 2 : 0)
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
    const kind = bytes.readUInt32BE(start + 24) & 0o170000
    use({
      path: name.toString(),
      id: bytes.toString('hex', start + 40, start + 40 + idBytes),
      kind: kind === LINK ? 'submodule' : kind === FOLDER ? 'folder' : 'file',
      size: bytes.readUInt32BE(start + 36),
      mtimeSeconds: bytes.readUInt32BE(start + 8),
      mtimeNanoseconds: bytes.readUInt32BE(start + 12),
      unmerged: (flags & STAGE) !== 0,
      skipped: (more & SKIPPED) !== 0,
    })
  }
  return at
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

/** Behind the entries stand extensions: `link` names another file with further entries, `TREE` what is committed. */
function extension(bytes: Buffer, start: number, wanted: string): Buffer | null {
  for (let at = start; at + 8 <= bytes.length - 20; ) {
    const length = bytes.readUInt32BE(at + 4)
    if (bytes.toString('latin1', at, at + 4) === wanted) return bytes.subarray(at + 8, at + 8 + length)
    at += 8 + length
  }
  return null
}

import { createHash } from 'node:crypto'
import { quote } from '../shell/remote-shell'

/** Shell text for transfers to and from a machine that is reached through a shell, using only standard programs. */

/** Exit codes of these scripts; any other means a connection problem. */
export const troubles: ReadonlyMap<number, string> = new Map([
  [101, 'does not exist'],
  [102, 'is a folder; only files can be transferred'],
  [103, 'may not be touched: permission denied'],
  [104, 'is not a plain file'],
  [105, 'cannot be written'],
  [106, 'did not arrive whole'],
  [107, 'cannot be read'],
])

/** A partial file that was not written to for this long is abandoned. */
const abandonedMinutes = 10

/** Prints the SHA-256 of its input, or nothing if no program for it is installed. */
const digest =
  'digest() { h=$(sha256sum 2>/dev/null || shasum -a 256 2>/dev/null || openssl dgst -sha256 -r 2>/dev/null) || h=; ' +
  `printf '%s\\n' "\${h%% *}"; }`

/** Prints the file's size on a line of its own and then its first bytes. */
export const describeScript = (path: string, bytes: number): string =>
  [
    `f=${quote(path)}; [ -e "$f" ] || exit 101; [ ! -d "$f" ] || exit 102; [ -f "$f" ] || exit 104`,
    `[ -r "$f" ] || exit 103; n=$(wc -c <"$f") || exit 107; echo $((n)); head -c ${bytes} "$f"`,
  ].join('\n')

export const digestScript = (path: string, bytes: number): string =>
  `${digest}\nhead -c ${bytes} ${quote(path)} | digest`

export const sendScript = (path: string, offset: number): string => `tail -c +${offset + 1} ${quote(path)} || exit 107`

/** A file that is written beside its place and moved there when complete. */
export interface ComingFile {
  path: string
  size: number
  /** Unique for this attempt. */
  token: string
}

/** Sets `$g` to the final place, `$p` to the file being written, and `$l` to an earlier part that may be resumed. */
const locate = ({ path, size, token }: ComingFile): string => {
  const stem = `.deckhand-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`
  return [
    `f=${quote(path)}; g=$f; [ ! -L "$f" ] || g=$(readlink -f "$f") || exit 101`,
    `s=\${g%/*}/${stem}; p=$s-${size}.${token}.open l=$s-${size}.${token}.left`,
  ].join('\n')
}

/** Creates the file, or takes over what an earlier attempt has left; prints its length and digest. */
export const prepareScript = (file: ComingFile, resume: boolean): string =>
  [
    digest,
    locate(file),
    '[ ! -d "$g" ] || exit 102; [ ! -e "$g" ] || [ -f "$g" ] || exit 104',
    `mkdir -p "\${g%/*}/" || exit 105`,
    'for q in "$s"-*.open "$s"-*.left; do',
    '  [ -f "$q" ] && [ ! -L "$q" ] || continue',
    `  case $q in *.open) [ -n "$(find "$q" -mmin +${abandonedMinutes})" ] || continue ;; esac`,
    resume ? `  case $q in "$s-${file.size}."*) mv -f "$q" "$p"; continue ;; esac` : '  :',
    '  rm -f "$q"',
    'done',
    'touch "$p" || exit 105',
    // The mode is set before the file gets any content.
    'm=$(stat -c %a "$g" 2>/dev/null || stat -f %Lp "$g" 2>/dev/null) && chmod "$m" "$p"',
    `n=$(wc -c <"$p"); [ "$n" -gt 0 ] && [ "$n" -le ${file.size} ] && echo $n $(digest <"$p")`,
    ':',
  ].join('\n')

/** Writes its input to the file until it ends, even if that is because the connection was lost. */
export const receiveScript = (file: ComingFile, append: boolean): string =>
  `${locate(file)}\ncat ${append ? '>>' : '>'}"$p" || { rm -f "$p"; exit 105; }\nmv -f "$p" "$l" || exit 105`

export const finishScript = (file: ComingFile): string =>
  [
    locate(file),
    '[ ! -d "$g" ] || { rm -f "$l"; exit 102; }',
    `[ "$(wc -c <"$l")" -eq ${file.size} ] || { rm -f "$l"; exit 106; }`,
    'mv -f "$l" "$g" || { rm -f "$l"; exit 105; }',
  ].join('\n')

export const dropScript = (file: ComingFile): string => `${locate(file)}\nrm -f "$p" "$l"`

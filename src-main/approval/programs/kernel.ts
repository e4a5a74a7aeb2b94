/**
 * The programs that may run without a question outside a cage. Each has a closed grammar of arguments: every option it
 * may be given is listed in its record, and anything else asks. Left out are programs with a language of their own (`awk`,
 * `jq`, `sed`, `find`) except for their simplest scripts, with configuration that changes what they do (`rg`, `npm`), or
 * with arguments that stand for others (`strings @file`).
 */
const KERNEL = new Set(
  `: true false exit echo pwd cd test [ type
  ls stat du df tree which basename dirname realpath readlink
  whoami id groups arch nproc tty uptime free hostname uname lscpu date sleep seq ps
  cat head tail wc nl tac rev fold expand paste join comm sort uniq cut tr diff cmp od base64
  cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum
  grep egrep fgrep
  git`.split(/\s+/),
)

/** `words` is what follows the name; `null` if that is only known when it runs. */
export const isKernelCall = (name: string, words: readonly string[] | null): boolean =>
  KERNEL.has(name) || (words !== null && (SCRIPTS.get(name)?.test(words.join('\0')) ?? false))

const FIELD = String.raw`(?:\$(?:\d{1,3}|NF)|"[^"\\\0]*")`
/** Fields and plain text, printed: `{print $2}`, `NR>1 {print $1, $NF}`. */
const AWK_PRINTS = String.raw`(?:NR *[<>=]=? *\d+|/[\w. :-]*/)? *\{ *print(?: +${FIELD}(?:[ ,]+${FIELD})*)? *;? *\}`
/** One address with `p`, `d` or `q`, or one substitution that neither runs nor writes: `s/a/b/g`. */
const PATTERN = String.raw`(?:[^/\[\\\n\0]|\\[^\n\0]|\[[^/\[\]\\\n\0]+\])`
const SED_STEP = String.raw`(?:(?:\d+|\$)(?:,(?:\d+|\$))?[pdq]|s/${PATTERN}*/${PATTERN}*/[gp\d]*)`
/** What these may be told, with their words joined by NUL: one script, and no file but what is piped in. */
const SCRIPTS = new Map([
  ['awk', new RegExp(String.raw`^(?:-F\0?[^\\/\0]{1,3}\0)?${AWK_PRINTS}$`)],
  ['sed', new RegExp(String.raw`^(?:-[nE]{1,2}\0)?${SED_STEP}$`)],
])

export const kernelPrograms: readonly string[] = [...KERNEL]

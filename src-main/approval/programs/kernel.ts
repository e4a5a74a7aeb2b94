/**
 * The programs that may run without a question outside a cage. Each has a closed grammar of arguments: every option it
 * may be given is listed in its record, and anything else asks. Left out are programs with a language of their own (`awk`,
 * `jq`, `sed`, `find`), with configuration that changes what they do (`rg`, `npm`), or with arguments that stand for
 * others (`strings @file`).
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

export const isKernelProgram = (name: string): boolean => KERNEL.has(name)

export const kernelPrograms: readonly string[] = [...KERNEL]

import { type Doubt, doubt, type Family, first, type ReadingContext, type ReadingTable } from './facts'
import { readOptions } from './options'
import { pathDoubt } from './reading-paths'

const SUM: ReadingTable = { short: 'btz', long: 'binary text tag zero', operands: 'path' }

/** Programs that tell about files, folders and the computer, or only wait. */
export const LISTING: Family = {
  ls: {
    reads: {
      short: 'aAbBcCdDfFgGhHiklmnNopqQrRsStuUvw:xXZ1T:I:',
      long: `all almost-all author escape block-size= ignore-backups color[=] directory dired classify[=] file-type format=
        full-time no-group human-readable si hide= hyperlink[=] indicator-style= inode ignore= kibibytes literal
        numeric-uid-gid hide-control-chars show-control-chars quote-name quoting-style= reverse recursive size sort= time=
        time-style= tabsize= width= context zero group-directories-first`,
      operands: 'path',
      metadata: true,
    },
    opens: 'none',
  },
  file: {
    reads: {
      short: 'bihkNnr0',
      long: 'brief mime mime-type mime-encoding no-dereference keep-going no-buffer extension raw print0',
      operands: 'path',
      metadata: true,
    },
    opens: 'none',
  },
  stat: {
    reads: {
      short: 'Ltfxnc:',
      long: 'dereference file-system format= printf= terse cached=',
      operands: 'path',
      metadata: true,
    },
    opens: 'none',
  },
  du: {
    reads: {
      short: 'abcd:hHklmPSst:x0B:',
      long: `all apparent-size block-size= bytes total human-readable max-depth= summarize separate-dirs si one-file-system
        exclude= null threshold= time[=] time-style= inodes`,
      operands: 'path',
      metadata: true,
    },
    opens: 'none',
  },
  df: {
    reads: {
      short: 'aB:hHiklPTt:x:',
      long: 'all block-size= human-readable inodes local portability print-type type= exclude-type= total output[=] si',
      operands: 'text',
    },
    opens: 'none',
  },
  whoami: { reads: { operands: 'none' } },
  id: { reads: { short: 'gGnruz', long: 'group groups name real user zero', operands: 'text', max: 1 } },
  groups: { reads: { operands: 'text', max: 1 } },
  arch: { reads: { operands: 'none' } },
  nproc: { reads: { long: 'all ignore=', operands: 'none' } },
  tty: { reads: { short: 's', long: 'silent quiet', operands: 'none' } },
  uptime: { reads: { short: 'ps', long: 'pretty since', operands: 'none' } },
  free: { reads: { short: 'bkmghtlwv', long: 'bytes kibi mebi gibi human total lohi wide', operands: 'none' } },
  hostname: {
    reads: {
      short: 'fsdiIA',
      long: 'fqdn long short domain ip-address all-ip-addresses all-fqdns',
      operands: 'none',
    },
  },
  uname: {
    reads: {
      short: 'asnrvmpio',
      long: 'all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system',
      operands: 'none',
    },
  },
  lscpu: { reads: { short: 'aex', long: 'all extended json', operands: 'none' } },
  sw_vers: { reads: { long: 'productName productVersion buildVersion', operands: 'none' } },
  which: { reads: { short: 'as', long: 'all', operands: 'text' }, opens: 'none' },
  basename: { reads: { short: 'as:z', long: 'multiple suffix= zero', operands: 'text', min: 1 }, opens: 'none' },
  dirname: { reads: { short: 'z', long: 'zero', operands: 'text', min: 1 }, opens: 'none' },
  realpath: {
    reads: {
      short: 'eLmPqsz',
      long: 'canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks relative-to= relative-base= zero',
      operands: 'path',
      metadata: true,
    },
    opens: 'none',
  },
  readlink: {
    reads: {
      short: 'efmnqsvz',
      long: 'canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero',
      operands: 'path',
      metadata: true,
    },
    opens: 'none',
  },
  tree: {
    reads: {
      short: 'adfxL:P:I:pugshDFCntcrvQiJ',
      long: 'noreport dirsfirst filelimit= prune matchdirs du si charset= sort= ignore-case gitignore',
      operands: 'path',
      metadata: true,
      apart: true,
    },
    opens: 'none',
  },
  seq: { reads: { short: 'f:s:w', long: 'format= separator= equal-width', operands: 'text', min: 1, max: 3 } },
  cksum: { reads: { operands: 'path' } },
  shasum: { reads: { short: 'a:btU', long: 'algorithm= binary text', operands: 'path' } },
  md5: { reads: { short: 'qrs:', operands: 'path' } },
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum': { reads: SUM },
  date: { reads: dateReading },
  sleep: {
    reads: (words) =>
      words.length === 1 && /^(?:\d{1,2}(?:\.\d+)?|[12]\d\d|300)s?$/.test(words[0] ?? '')
        ? null
        : doubt('lasting', 'it sleeps longer than five minutes'),
  },
  // Its folder has no name yet; what it is called makes no difference.
  mktemp: { output: { substituted: () => '/tmp/mktemp.folder/unnamed' } },
}

function dateReading(words: readonly string[], context: ReadingContext): Doubt | null {
  const read = readOptions(words, {
    short: 'uRI::d:r:',
    long: 'utc universal iso-8601[=] rfc-3339= rfc-email date= reference=',
  })
  if (typeof read === 'string') return doubt('program', `date: ${read}`)
  const found = first(read.options, ({ name, value }) =>
    (name === '-r' || name === '--reference') && value !== null ? pathDoubt(value, context, true) : null,
  )
  if (found !== null) return found
  return read.operands.length <= 1 && read.operands.every((operand) => operand.startsWith('+'))
    ? null
    : doubt('program', 'date may set the clock')
}

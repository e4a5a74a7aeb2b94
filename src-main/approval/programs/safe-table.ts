import type { OptionSpec } from './options'

/** A reading command: the options it may have, and what its operands are. */
export interface SafeCommand extends OptionSpec {
  operands: 'none' | 'text' | 'path' | 'pattern then path'
  min?: number
  max?: number
  /** Names, sizes and dates, never content: files that look secret may be named. */
  metadata?: boolean
  /** Options whose value is a file that it reads. */
  paths?: readonly string[]
  /** Descends into folders, but not into hidden ones. */
  descends?: boolean
  /** Options that make it descend into folders, hidden ones too. */
  recursive?: readonly string[]
  /** Options after which the first operand is a path, not a pattern. */
  patternOptions?: readonly string[]
  /** Folders as operands make it open what lies in them, links included. */
  filesOnly?: boolean
}

const SUM: SafeCommand = { short: 'btz', long: 'binary text tag zero', operands: 'path' }
const GREP: SafeCommand = {
  short: 'EFGPivwxcLloqshHnTZabrzyUVIe:f:m:A:B:C:d:',
  long: `extended-regexp fixed-strings basic-regexp perl-regexp regexp= file= ignore-case no-ignore-case word-regexp line-regexp
    null-data no-messages invert-match max-count= byte-offset line-number line-buffered with-filename no-filename label=
    only-matching quiet silent binary-files= text recursive include= exclude= exclude-dir= files-without-match
    files-with-matches count initial-tab null before-context= after-context= context= color[=] colour[=] directories=`,
  number: true,
  operands: 'pattern then path',
  paths: ['-f', '--file'],
  recursive: ['-r', '--recursive', '-d', '--directories'],
  patternOptions: ['-e', '-f', '--regexp', '--file'],
}

/**
 * Commands that only read. An option that is missing here asks; left out on purpose are those that write (`sort -o`,
 * `tree -o`), run something (`sort --compress-program`, `rg --pre`), follow links out of the folder (`grep -R`, `du -L`),
 * read lists of further files (`wc --files0-from`, `diff -X`) or never end (`tail -f`).
 */
export const SAFE_COMMANDS: ReadonlyMap<string, SafeCommand> = new Map(
  Object.entries({
    ls: {
      short: 'aAbBcCdDfFgGhHiklmnNopqQrRsStuUvw:xXZ1T:I:',
      long: `all almost-all author escape block-size= ignore-backups color[=] directory dired classify[=] file-type format=
        full-time no-group human-readable si hide= hyperlink[=] indicator-style= inode ignore= kibibytes literal
        numeric-uid-gid hide-control-chars show-control-chars quote-name quoting-style= reverse recursive size sort= time=
        time-style= tabsize= width= context zero group-directories-first`,
      operands: 'path',
      metadata: true,
    },
    cat: {
      short: 'AbeEnstTuv',
      long: 'show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting',
      operands: 'path',
    },
    head: {
      short: 'c:n:qvz',
      long: 'bytes= lines= quiet silent verbose zero-terminated',
      number: true,
      operands: 'path',
    },
    tail: {
      short: 'c:n:qvz',
      long: 'bytes= lines= quiet silent verbose zero-terminated',
      number: true,
      operands: 'path',
    },
    wc: { short: 'clmLw', long: 'bytes chars lines words max-line-length total=', operands: 'path' },
    nl: {
      short: 'b:d:f:h:i:l:n:ps:v:w:',
      long: 'body-numbering= line-increment= number-format= number-separator= number-width=',
      operands: 'path',
    },
    tac: { short: 'brs:', long: 'before regex separator=', operands: 'path' },
    rev: { operands: 'path' },
    fold: { short: 'bsw:', long: 'bytes spaces width=', operands: 'path' },
    expand: { short: 'it:', long: 'initial tabs=', operands: 'path' },
    column: { short: 'tnxs:o:c:N:', long: 'table separator= output-separator= table-columns=', operands: 'path' },
    paste: { short: 'sd:z', long: 'serial delimiters= zero-terminated', operands: 'path' },
    join: {
      short: 'a:e:i1:2:j:o:t:v:z',
      long: 'ignore-case check-order nocheck-order header zero-terminated',
      operands: 'path',
    },
    comm: {
      short: '123z',
      long: 'check-order nocheck-order output-delimiter= total zero-terminated',
      operands: 'path',
    },
    sort: {
      short: 'bdfghiMnRruVszcCk:t:m',
      long: `ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort ignore-nonprinting
        month-sort numeric-sort random-sort reverse version-sort unique stable zero-terminated check[=] key= field-separator=
        merge sort=`,
      operands: 'path',
    },
    uniq: {
      short: 'cdDiuzf:s:w:',
      long: 'count repeated all-repeated[=] ignore-case unique zero-terminated skip-fields= skip-chars= check-chars= group[=]',
      operands: 'path',
      max: 1,
      // Where options end at the first file, a second word is the file that it writes to.
      strict: true,
    },
    cut: {
      short: 'b:c:d:f:nsz',
      long: 'bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated',
      operands: 'path',
    },
    tr: {
      short: 'cCdst',
      long: 'complement delete squeeze-repeats truncate-set1',
      operands: 'text',
      strict: true,
      min: 1,
      max: 2,
    },
    diff: {
      short: 'abBcdeEfiNpqstTuwyU:C:W:I:F:L:Z',
      long: `brief report-identical-files context[=] unified[=] ed normal side-by-side width= left-column suppress-common-lines
        show-c-function show-function-line= label= expand-tabs initial-tab ignore-case ignore-tab-expansion
        ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text
        strip-trailing-cr minimal speed-large-files color[=] new-file`,
      operands: 'path',
      min: 2,
      max: 2,
      filesOnly: true,
    },
    cmp: {
      short: 'bi:ln:s',
      long: 'print-bytes ignore-initial= verbose bytes= quiet silent',
      operands: 'path',
      min: 1,
      max: 2,
    },
    file: {
      short: 'bihkNnr0',
      long: 'brief mime mime-type mime-encoding no-dereference keep-going no-buffer extension raw print0',
      operands: 'path',
      metadata: true,
    },
    stat: {
      short: 'Ltfxnc:',
      long: 'dereference file-system format= printf= terse cached=',
      operands: 'path',
      metadata: true,
    },
    du: {
      short: 'abcd:hHklmPSst:x0B:',
      long: `all apparent-size block-size= bytes total human-readable max-depth= summarize separate-dirs si one-file-system
        exclude= null threshold= time[=] time-style= inodes`,
      operands: 'path',
      metadata: true,
    },
    df: {
      short: 'aB:hHiklPTt:x:',
      long: 'all block-size= human-readable inodes local portability print-type type= exclude-type= total output[=] si',
      operands: 'text',
    },
    pwd: { short: 'LP', operands: 'none' },
    whoami: { operands: 'none' },
    id: { short: 'gGnruz', long: 'group groups name real user zero', operands: 'text', max: 1 },
    groups: { operands: 'text', max: 1 },
    arch: { operands: 'none' },
    nproc: { long: 'all ignore=', operands: 'none' },
    tty: { short: 's', long: 'silent quiet', operands: 'none' },
    uptime: { short: 'ps', long: 'pretty since', operands: 'none' },
    free: { short: 'bkmghtlwv', long: 'bytes kibi mebi gibi human total lohi wide', operands: 'none' },
    hostname: {
      short: 'fsdiIA',
      long: 'fqdn long short domain ip-address all-ip-addresses all-fqdns',
      operands: 'none',
    },
    uname: {
      short: 'asnrvmpio',
      long: 'all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system',
      operands: 'none',
    },
    lscpu: { short: 'aex', long: 'all extended json', operands: 'none' },
    sw_vers: { long: 'productName productVersion buildVersion', operands: 'none' },
    which: { short: 'as', long: 'all', operands: 'text' },
    type: { short: 'afptP', operands: 'text' },
    basename: { short: 'as:z', long: 'multiple suffix= zero', operands: 'text', min: 1 },
    dirname: { short: 'z', long: 'zero', operands: 'text', min: 1 },
    realpath: {
      short: 'eLmPqsz',
      long: 'canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks relative-to= relative-base= zero',
      operands: 'path',
      metadata: true,
    },
    readlink: {
      short: 'efmnqsvz',
      long: 'canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero',
      operands: 'path',
      metadata: true,
    },
    tree: {
      short: 'adfxL:P:I:pugshDFCntcrvQiJ',
      long: 'noreport dirsfirst filelimit= prune matchdirs du si charset= sort= ignore-case gitignore',
      operands: 'path',
      metadata: true,
      apart: true,
    },
    true: { operands: 'text' },
    false: { operands: 'text' },
    ':': { operands: 'text' },
    seq: { short: 'f:s:w', long: 'format= separator= equal-width', operands: 'text', min: 1, max: 3 },
    exit: { operands: 'text', max: 1 },
    md5sum: SUM,
    sha1sum: SUM,
    sha224sum: SUM,
    sha256sum: SUM,
    sha384sum: SUM,
    sha512sum: SUM,
    b2sum: SUM,
    cksum: { operands: 'path' },
    shasum: { short: 'a:btU', long: 'algorithm= binary text', operands: 'path' },
    md5: { short: 'qrs:', operands: 'path' },
    od: {
      short: 'A:t:N:j:vbcdoxa',
      long: 'address-radix= format= read-bytes= skip-bytes= output-duplicates',
      operands: 'path',
    },
    hexdump: { short: 'Cbcdoxvn:s:e:', long: 'canonical length= skip= no-squeezing', operands: 'path' },
    strings: { short: 'afn:t:e:', long: 'all print-file-name bytes= radix= encoding=', operands: 'path' },
    base64: { short: 'dDw:', long: 'decode wrap= ignore-garbage', operands: 'path', max: 1 },
    base32: { short: 'dw:', long: 'decode wrap= ignore-garbage', operands: 'path', max: 1 },
    grep: GREP,
    egrep: GREP,
    fgrep: GREP,
    rg: {
      short: 'acihHIFlnNopPqsSvVwxU0uA:B:C:e:E:f:g:j:m:M:r:t:T:d:',
      long: `after-context= before-context= context= count count-matches case-sensitive color= colors= column crlf encoding=
        regexp= file= files files-with-matches files-without-match fixed-strings glob= iglob= glob-case-insensitive heading
        no-heading hidden no-hidden ignore-case smart-case invert-match json line-number no-line-number line-regexp
        max-columns= max-columns-preview max-count= max-depth= max-filesize= multiline multiline-dotall no-config no-ignore
        no-ignore-vcs no-messages null one-file-system only-matching passthru pcre2 pretty quiet replace= sort= sortr=
        stats text threads= trim type= type-list type-not= unrestricted vimgrep with-filename no-filename word-regexp`,
      operands: 'pattern then path',
      paths: ['-f', '--file'],
      descends: true,
      recursive: ['-u', '--unrestricted', '--hidden', '--no-ignore', '--no-ignore-vcs'],
      patternOptions: ['-e', '-f', '--regexp', '--file', '--files', '--type-list'],
    },
  } satisfies Record<string, SafeCommand>),
)

/** Programs that only tell their version when asked for it, whatever folder they stand in. */
export const VERSION_FLAGS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    node: ['--version', '-v'],
    npm: ['--version', '-v'],
    python: ['--version', '-V'],
    python3: ['--version', '-V'],
    pip: ['--version', '-V'],
    pip3: ['--version', '-V'],
    ruby: ['--version', '-v'],
    perl: ['--version', '-v'],
    php: ['--version', '-v'],
    java: ['--version', '-version'],
    javac: ['--version', '-version'],
    gcc: ['--version'],
    'g++': ['--version'],
    cc: ['--version'],
    clang: ['--version'],
    make: ['--version', '-v'],
    cmake: ['--version'],
    docker: ['--version', '-v'],
    podman: ['--version', '-v'],
    git: ['--version', 'version'],
    bash: ['--version'],
    zsh: ['--version'],
    curl: ['--version', '-V'],
    wget: ['--version', '-V'],
    tmux: ['-V'],
    ssh: ['-V'],
    tar: ['--version'],
    sqlite3: ['--version', '-version'],
    deno: ['--version', '-V'],
    bun: ['--version', '-v'],
    jq: ['--version'],
    sed: ['--version'],
    awk: ['--version'],
    find: ['--version'],
    rg: ['--version', '-V'],
    cargo: ['--version', '-V'],
    rustc: ['--version', '-V'],
    gh: ['--version'],
    ffmpeg: ['-version'],
    openssl: ['version'],
    psql: ['--version', '-V'],
  }),
)

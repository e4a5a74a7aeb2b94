import type { Field } from '../shell/field'
import { type Carried, optionTexts } from './carried'
import {
  type Doubt,
  doubt,
  type Family,
  first,
  type ProgramFacts,
  type ReadingCheck,
  type ReadingContext,
} from './facts'
import { readOptions } from './options'
import { pathsDoubt } from './reading-paths'
import { awkTrouble, jqTrouble, sedTrouble } from './text-scripts'
import { inPlaceCheck } from './written-paths'

const AWK: ProgramFacts = {
  reads: scriptReading({ short: 'F:v:', strict: true }, [], awkTrouble),
  opens: 'after pattern',
  carries: (args) => args.map((field) => ({ kind: 'code', field })),
  exactRules: true,
}

/** Programs that print, compare or transform text. */
export const TEXT: Family = {
  cat: {
    reads: {
      short: 'AbeEnstTuv',
      long: 'show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting',
      operands: 'path',
    },
    output: { piped: (words, block) => (words.length === 0 ? block : null) },
  },
  head: {
    reads: {
      short: 'c:n:qvz',
      long: 'bytes= lines= quiet silent verbose zero-terminated',
      number: true,
      operands: 'path',
    },
  },
  tail: {
    reads: {
      short: 'c:n:qvz',
      long: 'bytes= lines= quiet silent verbose zero-terminated',
      number: true,
      operands: 'path',
    },
  },
  wc: { reads: { short: 'clmLw', long: 'bytes chars lines words max-line-length total=', operands: 'path' } },
  nl: {
    reads: {
      short: 'b:d:f:h:i:l:n:ps:v:w:',
      long: 'body-numbering= line-increment= number-format= number-separator= number-width=',
      operands: 'path',
    },
  },
  tac: { reads: { short: 'brs:', long: 'before regex separator=', operands: 'path' } },
  rev: { reads: { operands: 'path' } },
  fold: { reads: { short: 'bsw:', long: 'bytes spaces width=', operands: 'path' } },
  expand: { reads: { short: 'it:', long: 'initial tabs=', operands: 'path' } },
  column: {
    reads: { short: 'txs:o:c:N:', long: 'table separator= output-separator= table-columns=', operands: 'path' },
  },
  paste: { reads: { short: 'sd:z', long: 'serial delimiters= zero-terminated', operands: 'path' } },
  join: {
    reads: {
      short: 'a:e:i1:2:j:o:t:v:z',
      long: 'ignore-case check-order nocheck-order header zero-terminated',
      operands: 'path',
    },
  },
  comm: {
    reads: {
      short: '123z',
      long: 'check-order nocheck-order output-delimiter= total zero-terminated',
      operands: 'path',
    },
  },
  sort: {
    reads: {
      short: 'bdfghiMnRruVszcCk:t:m',
      long: `ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort ignore-nonprinting
        month-sort numeric-sort random-sort reverse version-sort unique stable zero-terminated check[=] key= field-separator=
        merge sort=`,
      operands: 'path',
    },
  },
  uniq: {
    reads: {
      short: 'cdDiuzf:s:w:',
      long: 'count repeated all-repeated[=] ignore-case unique zero-terminated skip-fields= skip-chars= check-chars= group[=]',
      operands: 'path',
      max: 1,
      // Where options end at the first file, a second word is the file that it writes to.
      strict: true,
    },
  },
  cut: {
    reads: {
      short: 'b:c:d:f:nsz',
      long: 'bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated',
      operands: 'path',
    },
  },
  tr: {
    reads: {
      short: 'cCdst',
      long: 'complement delete squeeze-repeats truncate-set1',
      operands: 'text',
      strict: true,
      min: 1,
      max: 2,
    },
  },
  diff: {
    reads: {
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
  },
  cmp: {
    reads: {
      short: 'bi:ln:s',
      long: 'print-bytes ignore-initial= verbose bytes= quiet silent',
      operands: 'path',
      min: 1,
      max: 2,
    },
  },
  od: {
    reads: {
      short: 'A:t:N:j:vbcdoxa',
      long: 'address-radix= format= read-bytes= skip-bytes= output-duplicates',
      operands: 'path',
    },
  },
  hexdump: { reads: { short: 'Cbcdoxvn:s:e:', long: 'canonical length= skip= no-squeezing', operands: 'path' } },
  strings: {
    reads: {
      short: 'afn:t:e:',
      long: 'all print-file-name bytes= radix= encoding=',
      operands: 'path',
      // The programs of binutils read further words from the file.
      argumentFiles: true,
    },
  },
  base64: { reads: { short: 'dDw:', long: 'decode wrap= ignore-garbage', operands: 'path', max: 1 } },
  base32: { reads: { short: 'dw:', long: 'decode wrap= ignore-garbage', operands: 'path', max: 1 } },
  xxd: { reads: xxdReading },
  jq: { versionWords: ['--version'], reads: jqReading, opens: 'after pattern' },
  sed: {
    versionWords: ['--version'],
    reads: scriptReading(
      {
        short: 'nErsuze:l:',
        long: 'quiet silent regexp-extended separate unbuffered null-data expression= posix sandbox',
      },
      ['-e', '--expression'],
      sedTrouble,
      'program',
    ),
    opens: 'after pattern',
    danger: inPlaceCheck,
    carries: sedCommands,
    purpose: 'may change files',
    exactRules: true,
  },
  gsed: { danger: inPlaceCheck, carries: sedCommands },
  awk: { ...AWK, versionWords: ['--version'] },
  'gawk mawk': AWK,
  nawk: { carries: (args) => args.map((field) => ({ kind: 'code', field })) },
}

/** The command `e` of sed, and the flag `e` of its command `s`. */
function sedCommands(args: readonly Field[]): Carried[] {
  return [...optionTexts(args, /(?:^|[;\n\d$/])\s*e\s+(.+)$/s), ...optionTexts(args, /^s(.).*?\1(.*?)\1\w*e\w*$/s, 2)]
}

/** sed and awk: the first operand is a script, unless one of `options` gave it. */
function scriptReading(
  spec: Parameters<typeof readOptions>[1],
  options: readonly string[],
  check: (script: string) => string | null,
  optionDoubt: Doubt['kind'] = 'script',
): ReadingCheck {
  return (words, context) => {
    const read = readOptions(words, spec)
    if (typeof read === 'string') return doubt(optionDoubt, read)
    const scripts = read.options.filter(({ name }) => options.includes(name)).map(({ value }) => value ?? '')
    const operands = [...read.operands]
    if (scripts.length === 0) scripts.push(operands.shift() ?? '')
    // Several scripts are joined with newlines; one could begin what the next ends.
    const trouble = first(scripts, check)
    return trouble === null ? pathsDoubt(operands, context) : doubt('script', trouble)
  }
}

const JQ = {
  short: 'rncsSejCMaRA',
  long: 'raw-output null-input compact-output slurp sort-keys exit-status join-output color-output monochrome-output ascii-output raw-input tab stream seq unbuffered raw-output0',
}

function jqReading(words: readonly string[], context: ReadingContext): Doubt | null {
  if (words.includes('--')) return doubt('program', 'jq: -- is read differently by different versions')
  const kept: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (/^--arg(?:json)?$/.test(word)) index += 2
    // Whatever follows is its value, also where it looks like another option.
    else if (word === '--indent' && !/^\d+$/.test(words[++index] ?? ''))
      return doubt('program', 'jq: --indent has a value that is no number')
    else if (word !== '--indent') kept.push(word)
  }
  const read = readOptions(kept, JQ)
  if (typeof read === 'string') return doubt('program', `jq: ${read}`)
  const [filter, ...paths] = read.operands
  const trouble = jqTrouble(filter ?? '.')
  return trouble === null ? pathsDoubt(paths, context) : doubt('script', trouble)
}

/** The second operand of xxd is a file that it writes. */
function xxdReading(words: readonly string[], context: ReadingContext): Doubt | null {
  const operands: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    // After the first file even `-e` is a file: the one that it writes to.
    if (operands.length > 0) operands.push(word)
    else if (/^-[lscgo]$/.test(word) && /^[+-]?(?:0x)?[\da-f]+$/i.test(words[index + 1] ?? '')) index++
    else if (!/^-(?:[abeEipu]|ps|[lcg]\d+|s[+-]?\d+)$/.test(word)) operands.push(word)
  }
  if (operands.length > 1 || operands.some((operand) => operand.startsWith('-')))
    return doubt('program', 'xxd may write a file')
  return pathsDoubt(operands, context)
}

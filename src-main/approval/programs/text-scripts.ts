/** What `sed`, `awk` and `jq` are told to do is a program of its own; these say why one might do more than print. */

/** Addresses and the commands p, =, l, d, D, n, N, g, G, h, H, x, q, Q, y and s without its `e` and `w` flags. */
export function sedTrouble(script: string): string | null {
  const trouble = 'its sed script may do more than print'
  // GNU ends a pattern at the next delimiter, BSD not inside brackets: only what both read alike is accepted.
  for (const brackets of [false, true]) if (!readSed(script, brackets)) return trouble
  return null
}

function readSed(script: string, brackets: boolean): boolean {
  let at = 0
  const peek = (): string => script[at] ?? ''
  const skip = (set: RegExp): void => {
    while (at < script.length && set.test(peek())) at++
  }
  const delimited = (end: string, isPattern: boolean): boolean => {
    for (; at < script.length; at++) {
      if (peek() === '\\') at++
      else if (peek() === '\n') return false
      else if (peek() === end) {
        at++
        return true
      } else if (isPattern && brackets && peek() === '[') {
        const end = bracketEnd(script, at)
        if (end === null) return false
        at = end
      }
    }
    return false
  }
  const address = (): boolean | null => {
    if (/[\d$]/.test(peek())) {
      skip(/[\d$~]/)
      return true
    }
    if (peek() === '/' || peek() === '\\') {
      if (peek() === '\\') at++
      const end = peek()
      at++
      if (end === '' || end === '\n' || end === '\\') return false
      if (!delimited(end, true)) return false
      skip(/[IM]/)
      return true
    }
    return null
  }
  while (at < script.length) {
    skip(/[\s;}]/)
    if (at >= script.length) return true
    const first = address()
    if (first === false) return false
    skip(/[ \t]/)
    if (peek() === ',') {
      if (first === null) return false
      at++
      skip(/[ \t+~]/)
      if (address() !== true) return false
    }
    skip(/[ \t!]/)
    const command = peek()
    at++
    if (command === '{') continue
    if (command === 's') {
      const end = peek()
      at++
      if (end === '' || end === '\n' || end === '\\') return false
      if (!delimited(end, true) || !delimited(end, false)) return false
      skip(/[gpiI\d]/)
    } else if (command === 'y') {
      const end = peek()
      at++
      if (end === '' || end === '\n' || end === '\\') return false
      if (!delimited(end, false) || !delimited(end, false)) return false
    } else if (/[pP=ldDnNgGhHxqQ]/.test(command)) {
      skip(/[ \t]/)
      if (/[lqQ]/.test(command)) skip(/\d/)
    } else return false
    skip(/[ \t]/)
    if (at < script.length && !/[;\n}]/.test(peek())) return false
  }
  return true
}

/**
 * Where the brackets that begin at `start` end. `null` where programs disagree: about a `[` inside that begins no plain
 * class such as `[:alpha:]`, or about brackets without an end.
 */
function bracketEnd(text: string, start: number): number | null {
  let at = start + 1
  if (text[at] === '^') at++
  if (text[at] === ']') at++
  for (; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === ']') return at
    if (text[at] === '\\') at++
    if (text[at] !== '[') continue
    const named = /\[:[a-z]+:\]/y
    named.lastIndex = at
    if (!named.test(text)) return null
    at = named.lastIndex - 1
  }
  return null
}

const AWK_WORDS = new Set(
  `print printf NR NF FNR FS OFS RS ORS FILENAME BEGIN END if else for while in length substr index split tolower toupper int
  sprintf sub gsub match next exit delete do break continue`.split(/\s+/),
)
const AWK_FORBIDDEN =
  /^(?:system|getline|close|fflush|nextfile|extension|func|function|srand|switch|include|load|eval|namespace)$/

/** Printing and counting only: no `system`, `getline`, pipes or output files, no look at the environment. */
export function awkTrouble(program: string): string | null {
  const trouble = 'its awk program may do more than print'
  const token =
    /\s+|"(?:[^"\\\n]|\\.)*"|\d+(?:\.\d+)?|[A-Za-z_]\w*|&&|\|\||[=!<>+*/%-]=|\+\+|--|[{}()[\],;$+\-*/%!~?:^=<>]/y
  let depth = 0
  let valueBefore = false
  while (token.lastIndex < program.length) {
    const start = token.lastIndex
    // A slash where a value is expected begins a pattern.
    if (program[start] === '/' && !valueBefore) {
      const end = awkPatternEnd(program, start)
      if (end === null) return trouble
      token.lastIndex = end + 1
      valueBefore = true
      continue
    }
    const text = token.exec(program)?.[0]
    if (text === undefined) return trouble
    // Where a division might be read as a pattern, nothing may follow that could hide in it.
    if (text === '/' && /["/]/.test(program.slice(token.lastIndex))) return trouble
    if (/^\s/.test(text)) continue
    if (text === '{') depth++
    if (text === '}') depth--
    if ((text === '>' || text === '<') && depth > 0) return trouble
    if (/^[A-Za-z_]/.test(text)) {
      if (
        AWK_FORBIDDEN.test(text) ||
        (!AWK_WORDS.has(text) && (/[A-Z]/.test(text) || program[token.lastIndex] === '('))
      )
        return trouble
    }
    valueBefore = /^(?:[\w"$)\]]|\+\+|--)/.test(text) && !/^(?:print|printf|in|if|while|else|do)$/.test(text)
  }
  return null
}

/** The slash that ends the pattern that begins at `start`; `null` where it could be taken to end elsewhere. */
function awkPatternEnd(program: string, start: number): number | null {
  for (let at = start + 1; at < program.length && program[at] !== '\n'; at++) {
    if (program[at] === '/') return at
    if (program[at] === '\\') at++
    else if (program[at] === '[') {
      const end = bracketEnd(program, at)
      // Some read a slash inside brackets as the end of the pattern.
      if (end === null || program.slice(at, end).includes('/')) return null
      at = end
    }
  }
  return null
}

const JQ_WORDS = new Set(
  `and or not if then elif else end as reduce foreach try catch def label break true false null empty error length utf8bytelength
  keys keys_unsorted values has in map map_values path del getpath setpath paths leaf_paths add any all flatten range floor ceil
  round sqrt pow log tostring tonumber type infinite nan isinfinite isnan isnormal sort sort_by group_by min max min_by max_by
  unique unique_by reverse contains inside startswith endswith combinations ltrimstr rtrimstr trim ltrim rtrim explode implode
  split splits join ascii ascii_downcase ascii_upcase recurse recurse_down to_entries from_entries with_entries select arrays
  objects iterables booleans numbers normals finites strings nulls scalars first last nth until while repeat limit tojson
  fromjson todate fromdate now dateadd datesub date strftime strptime mktime gmtime localtime test match capture scan sub gsub
  ascii index rindex indices walk transpose tostream fromstream truncate_stream abs toarray pick debug input_line_number
  ltrimstr csv tsv html uri sh base64 base64d text json getpath pick`.split(/\s+/),
)

/** Filters over the data only: no `env`, `$ENV`, `input`, modules or interpolation that could hide them. */
export function jqTrouble(filter: string): string | null {
  const trouble = 'its jq filter may read more than its input'
  if (filter.includes('\\(') || filter.includes('#')) return trouble
  const bare = filter.replace(/"(?:[^"\\]|\\.)*"/gs, '""')
  if ((bare.match(/"/g)?.length ?? 0) % 2 !== 0 || /\$\s*(?:ENV|__)/.test(bare)) return trouble
  const open: string[] = []
  for (const match of bare.matchAll(/[A-Za-z_]\w*(?:::\w+)*|[[\](){}]/g)) {
    const text = match[0]
    if ('[({'.includes(text)) open.push(text)
    else if ('])}'.includes(text)) open.pop()
    else if (!isField(bare, match.index, text, open.at(-1) === '{') && !JQ_WORDS.has(text)) return trouble
  }
  return null
}

/** `.name`, `$name`, `{name: …}` and `{name}`, which is short for `{name: .name}`. */
function isField(filter: string, index: number, name: string, inObject: boolean): boolean {
  const before = filter[index - 1]
  if (before === '$' || (before === '.' && filter[index - 2] !== '.')) return true
  return inObject && /[{,]\s*$/.test(filter.slice(0, index)) && /^\s*[:,}]/.test(filter.slice(index + name.length))
}

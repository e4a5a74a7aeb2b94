import type { ArithmeticExpansionPart, ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash'
import { type Field, UNKNOWN } from './field'
import { FieldBuilder } from './field-builder'

export interface Variable {
  /** `null` when its value is not known. */
  text: string | null
  /** Bound by a loop over plain words: its use does not need a question. */
  loop: boolean
  /** Read from somewhere while it runs, so that it could be anything. */
  anything?: boolean
}

export interface ExpandContext {
  home: string
  /** The working folder, where there is only one possibility. */
  cwd: string | null
  variables: ReadonlyMap<string, Variable>
  /** Called for the script of every substitution; answers its output where that is plain to see. */
  onScript(script: ParsedScript): string | null
  /** Called for a calculation, which may hide further scripts. */
  onCalculation(node: ArithmeticExpansionPart): void
}

interface Expansion {
  fields: Field[]
  /** Why the shell may make something else of it than can be read here; `null` for plain words. */
  trouble: string | null
}

const MAX_ALTERNATIVES = 64
const INDIRECT = 'uses a value that is only known when it runs'

/** What the shell makes of a word: quotes removed, variables and substitutions replaced as far as they are known. */
export function expandWord(word: Word, context: ExpandContext): Expansion {
  const oddity = strangeSpelling(word)
  if (!word.parts) {
    const text = word.text.startsWith('~') ? tilde(word.value, context.home) : word.value
    const unknown = text === null
    return {
      fields: [{ text: text ?? otherHome(word.value), unknown, pattern: null }],
      trouble: oddity ?? (unknown ? 'names the folder of another user' : null),
    }
  }
  if (word.parts.some((part) => part.type === 'BraceExpansion'))
    return expandBraces(word.parts, context, /^~[^'"\\$`]*\//.test(word.text))
  const builder = new FieldBuilder()
  const trouble = addParts(word.parts, builder, context, /^~[^'"\\$`]*\//.test(word.text))
  return { fields: builder.done(), trouble: oddity ?? trouble }
}

function addParts(
  parts: readonly WordPart[],
  builder: FieldBuilder,
  context: ExpandContext,
  tildeFirst = false,
): string | null {
  let trouble: string | null = null
  for (const [index, part] of parts.entries()) {
    const found = addPart(part, builder, context, tildeFirst && index === 0)
    trouble ??= found
  }
  return trouble
}

function addPart(part: WordPart, builder: FieldBuilder, context: ExpandContext, tildeFirst: boolean): string | null {
  switch (part.type) {
    case 'Literal': {
      const text = tildeFirst ? tilde(part.value, context.home) : part.value
      if (text === null) builder.unknown()
      builder.literal(text ?? otherHome(part.value).slice(UNKNOWN.length))
      return text === null ? 'names the folder of another user' : null
    }
    case 'SingleQuoted':
      builder.literal(part.value)
      // fish reads \' inside single quotes as a quote, bash and sh do not.
      return part.value.endsWith('\\') ? 'ends a quoted text with a backslash, which shells read differently' : null
    case 'AnsiCQuoted':
      builder.literal(part.value)
      return "hides characters behind $'…'"
    case 'Glob':
      builder.wild(part.kind === 'star' ? '*' : part.kind === 'question' ? '?' : '[', part.text)
      return /[\\'"`$]/.test(part.text) ? INDIRECT : null
    case 'DoubleQuoted':
    case 'LocaleString': {
      builder.literal('')
      let trouble = part.type === 'LocaleString' ? 'uses translated text' : null
      for (const inner of part.parts) {
        if (inner.type === 'Literal') builder.literal(inner.value)
        else {
          const found = addExpansion(inner, builder, context, true)
          trouble ??= found
        }
      }
      return trouble
    }
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
      return addExpansion(part, builder, context, false)
    case 'ExtendedGlob':
      builder.wild('*', part.text)
      for (const inner of part.parts ?? [])
        if (isExpansion(inner)) addExpansion(inner, new FieldBuilder(), context, true)
      return 'uses an extended pattern'
    case 'BraceExpansion':
      builder.unknown()
      return 'uses braces'
  }
}

type ExpansionPart = Extract<
  WordPart,
  {
    type: 'SimpleExpansion' | 'ParameterExpansion' | 'CommandExpansion' | 'ArithmeticExpansion' | 'ProcessSubstitution'
  }
>

const isExpansion = (part: WordPart): part is ExpansionPart =>
  /^(?:Simple|Parameter|Command|Arithmetic)Expansion$|^ProcessSubstitution$/.test(part.type)

function addExpansion(
  part: ExpansionPart,
  builder: FieldBuilder,
  context: ExpandContext,
  quoted: boolean,
): string | null {
  const add = (text: string | null): void => {
    if (text === null) builder.unknown()
    else if (quoted) builder.literal(text)
    else builder.split(text, separators(context))
  }
  switch (part.type) {
    case 'SimpleExpansion': {
      const name = part.text.slice(1)
      const variable = context.variables.get(name)
      if (variable?.loop && variable.text !== null && (quoted || !/[\s*?[\\]/.test(variable.text))) {
        builder.literal(variable.text)
        return null
      }
      // "$@" is several words even in quotes.
      if (variable?.anything) builder.literal(UNKNOWN)
      if (name === '@' && variable?.text) builder.split(variable.text, separators(context))
      else add(variableText(name, context))
      return /^[?#]$/.test(name) ? null : `uses the variable ${part.text}`
    }
    case 'ParameterExpansion': {
      for (const nested of operands(part))
        for (const inner of nested.parts ?? [])
          if (isExpansion(inner)) addExpansion(inner, new FieldBuilder(), context, true)
      add(parameterText(part, context))
      return `uses the variable ${part.text}`
    }
    case 'CommandExpansion':
      add(part.script ? context.onScript(part.script) : null)
      return 'runs another command inside its words'
    case 'ProcessSubstitution':
      if (part.script) context.onScript(part.script)
      builder.unknown()
      return 'runs another command inside its words'
    case 'ArithmeticExpansion':
      context.onCalculation(part)
      builder.unknown()
      return 'uses shell arithmetic, which can run commands'
  }
}

/** What IFS holds; where that is unknown, anything that is no letter or digit may separate words. */
function separators({ variables }: ExpandContext): string {
  const known = variables.get('IFS')
  return known === undefined ? ' \t\n' : (known.text ?? ' \t\n,;:.|_@#%+=')
}

function operands(part: ParameterExpansionPart): Word[] {
  const operation = part.operation
  const words: (Word | undefined)[] = [part.index]
  if (operation?.type === 'Replace') words.push(operation.pattern, operation.replacement)
  else if (operation?.type === 'Slice') words.push(operation.offset, operation.length)
  else if (operation && 'operand' in operation) words.push(operation.operand)
  return words.filter((word) => word !== undefined)
}

function parameterText(part: ParameterExpansionPart, context: ExpandContext): string | null {
  if (part.prefix !== undefined || part.index !== undefined) return null
  const value = variableText(part.parameter, context)
  const operation = part.operation
  if (operation === undefined) return value
  if (operation.type !== 'Default') return null
  const alternative = (): string | null => {
    const fields = expandWord(operation.operand, context).fields
    return fields.some((field) => field.unknown) ? null : fields.map((field) => field.text).join(' ')
  }
  if (operation.operator === '+' || operation.operator === ':+') return value === '' ? '' : alternative()
  return value === null || value === '' ? alternative() : value
}

function variableText(name: string, context: ExpandContext): string | null {
  const variable = context.variables.get(name)
  if (variable) return variable.text
  if (name === 'HOME') return context.home
  if (name === 'PWD') return context.cwd
  if (name === 'IFS') return ' \t\n'
  return null
}

function tilde(text: string, home: string): string | null {
  if (text === '~' || text.startsWith('~/')) return home + text.slice(1)
  return null
}

/** `~name/x`: only what follows the name is known. */
const otherHome = (text: string): string => UNKNOWN + (text.includes('/') ? text.slice(text.indexOf('/')) : '')

/** `{a,b}` makes several words of one. Sequences such as `{1..9}` stay unknown. */
function expandBraces(parts: readonly WordPart[], context: ExpandContext, tildeFirst: boolean): Expansion {
  let texts: { text: string; unknown: boolean }[] = [{ text: '', unknown: false }]
  for (const [index, part] of parts.entries()) {
    const choices = part.type === 'BraceExpansion' ? alternatives(part.text) : null
    for (const inner of part.type === 'BraceExpansion' ? (part.parts ?? []) : []) {
      if (isExpansion(inner)) addExpansion(inner, new FieldBuilder(), context, true)
    }
    if (choices === null) {
      const builder = new FieldBuilder()
      addPart(part, builder, context, tildeFirst && index === 0)
      const fields = builder.done()
      const text = fields.map((field) => field.text).join(' ')
      texts = texts.map((so) => ({
        text: so.text + text,
        unknown: so.unknown || fields.some((field) => field.unknown),
      }))
      continue
    }
    texts = texts.flatMap((so) => choices.map((choice) => ({ text: so.text + choice, unknown: so.unknown })))
    if (texts.length > MAX_ALTERNATIVES) texts = [{ text: UNKNOWN, unknown: true }]
  }
  return { fields: texts.map(({ text, unknown }) => ({ text, unknown, pattern: null })), trouble: 'uses braces' }
}

/** Spellings that other shells, or an interactive one, read differently. */
function strangeSpelling(word: Word): string | null {
  const text = word.text
  if (text.startsWith('^') || text.startsWith('=')) return `begins with ${text[0]}, which some shells expand`
  // A `$` at the end of a line belongs to what the next one begins with.
  if (text.includes('\\\n')) return 'breaks a line in the middle of a word'
  if (/^~[^/]*['"]/.test(text)) return 'puts quotes behind a tilde'
  // Braces come before everything else, also where they seem to stand inside a pattern.
  if (/\{[^}]*(?:,|\.\.)/.test(text) && /\{[^}]*(?:,|\.\.)/.test(unquoted(text))) return 'uses braces'
  if (!/[!\\]/.test(text)) return null
  if (text.endsWith('\\')) return 'ends with a backslash'
  const bare = text.replace(/'[^']*'/g, '')
  // fish reads \x2d as a dash where others read x2d.
  if (/\\[A-Za-z0-9]/.test(bare.replace(/"(?:[^"\\]|\\.)*"/gs, '')))
    return 'puts a backslash before a letter, which shells read differently'
  return /(?:^|[^\\])![\w!$?{(-]/.test(bare) ? 'refers to the history of the shell' : null
}

const unquoted = (text: string): string => text.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/gs, '')

/** What `{a,b}` stands for; `null` for a sequence such as `{1..9}`. */
function alternatives(text: string): string[] | null {
  const inner = text.slice(1, -1)
  const choices: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index <= inner.length; index++) {
    const character = inner[index]
    if (character === '\\') index++
    else if (character === '{') depth++
    else if (character === '}') depth--
    else if (index === inner.length || (character === ',' && depth === 0)) {
      choices.push(inner.slice(start, index))
      start = index + 1
    }
  }
  if (choices.length < 2) return null
  return choices.flatMap((choice) => {
    const nested = /\{[^{}]*,[^{}]*\}/.exec(choice)
    if (!nested) return [choice.replace(/\\(.)|['"]/gs, '$1')]
    return (alternatives(nested[0]) ?? []).map((each) => choice.replace(nested[0], each).replace(/\\(.)|['"]/gs, '$1'))
  })
}

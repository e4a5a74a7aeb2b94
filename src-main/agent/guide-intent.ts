/** What a plain request asks the guide to do. */
export type Intent =
  | { kind: 'call'; calls: { name: string; args: Record<string, unknown> }[] }
  /** About the newest background process of the conversation. */
  | { kind: 'process'; action: 'kill' | 'log' | 'submit'; data?: string }
  | { kind: 'topic'; topic: Topic }
  | { kind: 'which-command' }
  | { kind: 'unknown' }

export type Topic = 'greeting' | 'thanks' | 'self' | 'help' | 'models' | 'approvals' | 'terminals' | 'sessions' | 'keys'

type Args = Record<string, unknown>

const call = (name: string, args: Args = {}): Intent => ({ kind: 'call', calls: [{ name, args }] })

const politeness =
  /^(?:(?:hey|hi|hello|ok|okay|so|and|now|then|please|deckhand|guide)[,!:.]?\s+|(?:can|could|would|will) you\s+(?:please\s+)?|i(?:'d| would) like (?:you )?to\s+|i want (?:you )?to\s+|let'?s\s+|go ahead and\s+|try to\s+|just\s+)/i

/** Reads a request. Rules in order, the first that fits wins; nothing here guesses at what was not said. */
export const readIntent = (request: string): Intent => {
  if (greeting.test(request.trim())) return { kind: 'topic', topic: 'greeting' }
  const text = withoutPoliteness(request.trim())
  const words = withoutEnd(text)
  return (
    bareCommand(text) ??
    topicOf(words) ??
    processIntent(words) ??
    writeIntent(text) ??
    searchIntent(words) ??
    listIntent(words) ??
    readFileIntent(words) ??
    runIntent(text) ?? { kind: 'unknown' }
  )
}

/** Without what ends a sentence. A `.` or `..` by itself or after a slash is a folder. */
const withoutEnd = (text: string): string => {
  const asked = text.replace(/[?!\s]+$/, '')
  return /(?:^|[\s/])\.{1,2}$/.test(asked) ? asked : asked.replace(/[?!.\s]+$/, '')
}

const withoutPoliteness = (text: string): string => {
  let rest = text
  for (let next = rest.replace(politeness, ''); next !== rest; next = rest.replace(politeness, '')) rest = next
  return rest.replace(/[,\s]+(please|thanks|thank you)[.!]*$/i, '')
}

/** A command and nothing else: in backticks, in a block, or after a prompt sign. */
const bareCommand = (text: string): Intent | null => {
  const block = /^```(?:sh|bash|shell|console)?\n([\s\S]+?)\n?```$/.exec(text)?.[1]
  const command = block ?? /^`([^`]+)`$/.exec(text)?.[1] ?? /^[$!]\s*(\S.*)$/.exec(text)?.[1]
  return command ? call('Bash', { command: command.trim() }) : null
}

const greeting =
  /^(hi|hello|hey|hallo|howdy|moin|yo|greetings|good (morning|afternoon|evening|day))( there| deckhand| guide| again)?[!.,]*$/i

const topics: [RegExp, Topic][] = [
  [
    /^(thanks|thank you|thx|cheers|great|nice|cool|perfect|well done|good job|ok|okay)( a lot| very much| so much)?$/i,
    'thanks',
  ],
  [/^(who|what) (are|r) (you|u)( exactly)?$|^are you (a|an|real|the) .*|^what is (this|deckhand)( app)?$/i, 'self'],
  [
    /^(help|\?|what can (you|i|deckhand) do( here)?|how does (this|it) work|what now|tour|show me around|get(ting)? started|examples?)$/i,
    'help',
  ],
  [
    /\b(api key|(add|connect|use|choose|pick|change|set up|switch) (a |an |another |the |my )?(real )?(model|provider|llm|key)|which models?|models?$|ollama|lm studio|llama\.?cpp|openai|anthropic|openrouter|claude|gpt)\b/i,
    'models',
  ],
  [/\b(approv\w*|permissions?|allow(ed|ing)?|deny|denied|safe(ty)?|modes?|rules?)\b/i, 'approvals'],
  [/^(how|what|where|why|explain|tell me)\b.*\b(terminals?|panes?|deck|background|process(es)?)\b/i, 'terminals'],
  [
    /^(how|what|where|why|explain|tell me)\b.*\b(sessions?|histor\w+|export|search|branch|undo|queue|steer)\b/i,
    'sessions',
  ],
  [/\b(keyboard|shortcuts?|keys|hotkeys?|palette)\b/i, 'keys'],
]

const topicOf = (words: string): Intent | null => {
  // A request to do something may well mention a topic: `run npm run approve`.
  if (
    /^(run|execute|exec|start|launch|read|open|cat|find|grep|search for|list|write|create|delete|replace)\b/i.test(
      words,
    )
  )
    return null
  const found = topics.find(([pattern]) => pattern.test(words))
  return found ? { kind: 'topic', topic: found[1] } : null
}

const processIntent = (words: string): Intent | null => {
  if (
    /^(stop|kill|end|quit|cancel|terminate|abort|ctrl[- ]?c)( (it|that|this|them|everything|the (server|process|command|job|program|dev server)))?( now)?$/i.test(
      words,
    )
  )
    return { kind: 'process', action: 'kill' }
  if (
    /^((what|which).*(is|are|'s) (still )?running|is (it|that|anything) (still )?running|(list|show)( me)?( all)?( the)?( running)? process(es)?|processes|status)$/i.test(
      words,
    )
  )
    return call('Process', { action: 'list' })
  if (
    /^(show|read|what is|what's|print)( me)? (its|the) (output|log|logs)$|^(how is it (doing|going)|output|logs?)$/i.test(
      words,
    )
  )
    return { kind: 'process', action: 'log' }
  const typed =
    /^(?:type|send|answer|reply|enter|input)\s+(.+?)(?:\s+(?:in)?to (?:it|the (?:process|terminal|program)))?$/i.exec(
      words,
    )?.[1]
  if (typed) return { kind: 'process', action: 'submit', data: unquote(typed) }
  if (
    /^(what time is it|what('s| is) the (time|date)|what day is (it|today)|time|date|today|now)( now| today| right now)?$/i.test(
      words,
    )
  )
    return call('Time', { format: 'rfc2822' })
  return null
}

const writeIntent = (text: string): Intent | null => {
  const to =
    /^(?:write|save|put)\s+([\s\S]+?)\s+(?:in)?(?:to|as)\s+(?:the\s+|a\s+)?(?:new\s+)?(?:file\s+)?(\S+)$/i.exec(text)
  if (to?.[1] && to[2]) return call('Write', { path: path(to[2]), content: `${unquote(to[1])}\n` })
  const named =
    /^(?:create|make|write)\s+(?:the\s+|a\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?(\S+\.\w+)\s+(?:with|containing|that says)\s+(?:the (?:text|words?|content)\s+)?([\s\S]+)$/i.exec(
      text,
    )
  if (named?.[1] && named[2]) return call('Write', { path: path(named[1]), content: `${unquote(named[2])}\n` })
  const swap = /^(?:replace|change)\s+(.+?)\s+(?:with|to|by)\s+(.+?)\s+in\s+(?:the\s+)?(?:file\s+)?(\S+)$/i.exec(text)
  if (swap?.[1] && swap[2] && swap[3])
    return call('Edit', { path: path(swap[3]), oldString: unquote(swap[1]), newString: unquote(swap[2]) })
  const gone = /^(?:delete|remove)\s+(?:the\s+)?(?:file\s+)?(\S+\.\w+|`[^`]+`)$/i.exec(text)?.[1]
  return gone ? call('Delete', { path: path(gone) }) : null
}

const searchIntent = (words: string): Intent | null => {
  const glob =
    /^(?:find|search for|list|show|show me)\s+(?:all\s+|the\s+|every\s+)*(?:files?\s+)?(?:named\s+|called\s+|matching\s+|like\s+)?[`'"]?([^\s`'"]*[*?][^\s`'"]*)[`'"]?(?:\s+files?)?(?:\s+(?:in|under|inside)\s+(.+))?$/i.exec(
      words,
    )
  if (glob?.[1]) return call('Glob', { pattern: glob[1].includes('/') ? glob[1] : `**/${glob[1]}`, ...folder(glob[2]) })
  const named =
    /^(?:find|search for)\s+(?:all\s+|the\s+)*files?\s+(?:named|called|with)\s+(\S+)(?:\s+(?:in|under)\s+(.+))?$/i.exec(
      words,
    )
  if (named?.[1]) return call('Glob', { pattern: `**/*${unquote(named[1])}*`, ...folder(named[2]) })
  const grep =
    /^(?:find|search(?: for)?|grep(?: for)?|look for|where is|where are|where do we use)\s+(.+?)(?:\s+(?:used|defined|mentioned))?(?:\s+(?:in|under|inside)\s+(?:the\s+)?(.+))?$/i.exec(
      words,
    )
  return grep?.[1]
    ? call('Grep', { pattern: escapeRegex(unquote(grep[1].replace(/^all\s+/i, ''))), ...folder(grep[2]) })
    : null
}

const listIntent = (words: string): Intent | null => {
  if (
    /^(ls|dir|(list|show)( me)?( all)?( the| my)?( files?| folders?| directory| workspace)?( and folders)?( here| in (here|this folder|the workspace))?|(what|which) files (are|do i have|do you see)( here| there)?|what('s| is) (in )?(here|this folder|the (folder|workspace)|my workspace))$/i.test(
      words,
    )
  )
    return call('List')
  const inside =
    /^(?:ls|list|show)(?: me)?(?: the)?(?: files| contents?)?(?: (?:in|of|under))?(?: the)?(?: folder| directory)? ([\w./~-]+|`[^`]+`|"[^"]+")(?: folder| directory)?$/i.exec(
      words,
    )?.[1]
  if (inside && !/^-/.test(inside) && !looksLikeFile(inside)) return call('List', { path: path(inside) })
  const what = /^what(?:'s| is) in(?:side)?(?: the)?(?: folder| directory)? (\S+)$/i.exec(words)?.[1]
  return what && !looksLikeFile(what) ? call('List', { path: path(what) }) : null
}

const readFileIntent = (words: string): Intent | null => {
  const found =
    /^(?:read|show|open|cat|display|print|view|look at|what(?:'s| is) in)(?: me)?(?: the)?(?: contents? of)?(?: the)?(?: file)? ([^\s`"']+|`[^`]+`|"[^"]+"|'[^']+')(?:,? (?:from )?lines? (\d+)(?:\s*(?:-|–|to)\s*(\d+))?)?$/i.exec(
      words,
    )
  if (!found?.[1]) return null
  const from = Number(found[2] ?? 0)
  const range = from > 0 ? { offset: from - 1, limit: Number(found[3] ?? from) - from + 1 } : {}
  return call('Read', { path: path(found[1]), ...range })
}

const runIntent = (text: string): Intent | null => {
  const found = /^(run|execute|exec|start|launch)\s+(?:the\s+command\s+|command\s+)?([\s\S]+)$/i.exec(text)
  if (!found?.[2]) return null
  const away = /[,\s]+(?:in|on) (?:the )?background[.!]*$/i
  const background = away.test(found[2]) || /^(start|launch)$/i.test(found[1] ?? '')
  const rest = found[2].replace(away, '').trim()
  const quoted = [...rest.matchAll(/`([^`]+)`/g)].flatMap((match) => (match[1] ? [match[1]] : []))
  const flag = background ? { background: true } : {}
  if (quoted.length > 0)
    return { kind: 'call', calls: quoted.map((command) => ({ name: 'Bash', args: { command, ...flag } })) }
  // "Run the tests" names no command, and the guide does not know the project.
  if (/^(the|my|a|an|some|this|that|it|all|our|tests?$)\b/i.test(rest)) return { kind: 'which-command' }
  return call('Bash', { command: unquote(withoutFullStop(rest)), ...flag })
}

/** The end of a sentence is no part of the command; the dot of `git add .` is. */
const withoutFullStop = (command: string): string => command.replace(/(?<=[\w"'])[.?!]$/, '')

const looksLikeFile = (text: string) => /\.\w{1,8}[`"']?$/.test(text) && !/^\.{1,2}\/?$/.test(text)

const folder = (text: string | undefined) => {
  if (!text || /^(here|this folder|the workspace|all files|files|my code|the code|everything)$/i.test(text)) return {}
  return { path: path(text.replace(/\s+(folder|directory)$/i, '')) }
}

const unquote = (text: string): string => /^([`"'“])([\s\S]*)[`"'”]$/.exec(text.trim())?.[2] ?? text.trim()

const path = (text: string): string => unquote(text).replace(/[,;:]$/, '')

const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

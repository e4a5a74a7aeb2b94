import type { Topic } from './topic'

const loop = 'agent/loop'
const openai = 'agent/openai'

/** What a model, or a server that claims to be one, may send. */
export const providerTopics: readonly Topic[] = [
  {
    ids: 'PS-001',
    words: /truncated sse|cut mid|socket closed|connection reset|cut (?:off|stream)|without \[?done|half an event/,
    tests: [
      [loop, 'keeps the text of a cut answer'],
      [openai, 'reports a stream that is cut inside an event'],
      [openai, 'reports a stream that ends politely but too soon'],
    ],
  },
  {
    ids: 'PS-003',
    words: /chunking|split|1 byte|utf-?8|surrogate|crlf|line end/,
    tests: [
      [openai, 'reads the same byte by byte'],
      ['agent/anthropic', 'reads the same byte by byte'],
      ['agent/sse', 'gives the same for any size of piece'],
    ],
  },
  {
    ids: 'PS-006',
    words: /sse fields|comment|retry:|keep-?alive|ping|event: /,
    tests: [
      [openai, 'reads the same byte by byte, with comments'],
      [loop, 'takes keep-alive bytes as a sign of life'],
    ],
  },
  {
    words: /stall|silent|hang|idle timeout|no (?:bytes|data) for|slow(?:loris)?|first byte|time ?out(?!.*connect)/,
    tests: [
      [loop, 'keeps the text of an answer that falls silent'],
      [loop, 'counts down, gives up and tries again when no answer begins'],
    ],
  },
  { ids: 'PS-010', words: /duplicate keys|same key twice/, tests: [['tools/dispatch', 'refuses the same name twice']] },
  {
    ids: 'PS-008',
    words:
      /truncated tool json|malformed arguments|invalid json|broken json|tool arguments|not json|arguments (?:as|is|are)/,
    tests: [
      ['tools/dispatch', 'says where the JSON is broken'],
      [openai, 'hands malformed arguments on as they are'],
      [loop, 'says when an answer was cut by its limit'],
    ],
  },
  { ids: 'PS-014', words: /name spoof|look-?alike name|zero-width/, tests: [['tools/dispatch', 'does not find']] },
  {
    ids: 'PS-013',
    words: /unknown tool|no such tool|hallucinated/,
    tests: [
      ['tools/dispatch', 'names the nearest tool'],
      ['tools/dispatch', 'does not find'],
    ],
  },
  {
    words: /extra (?:key|argument|field)|wrong type|schema|missing (?:argument|field)|prototype|__proto__/,
    tests: [
      ['tools/dispatch', 'names the nearest tool'],
      ['tools/dispatch', 'does not find'],
      ['tools/dispatch', 'says where the JSON is broken'],
    ],
  },
  {
    words: /duplicate (?:call )?id|same id|missing id|empty id|index/,
    tests: [
      [loop, 'gives every call an id of its own'],
      [openai, 'tells whole calls apart when the index is always 0 or missing'],
    ],
  },
  { ids: 'PS-017', words: /fan-out|parallel|100 .*calls/, tests: [[loop, 'runs a hundred calls of one answer']] },
  {
    ids: 'PS-018',
    words: /empty|no choices|null content/,
    tests: [
      [loop, 'asks once more after an empty answer'],
      [openai, 'does without choices and usage'],
    ],
  },
  {
    ids: 'PS-019',
    words: /\bloop\b|repeats|endless turns|iterations/,
    tests: [
      [loop, 'tells the model at the third'],
      [loop, 'stops at the limit of iterations'],
    ],
  },
  {
    words: /429|rate.?limit|retry-after|too many requests/,
    tests: [
      [openai, 'hands on how long the provider wants to be left alone'],
      [loop, 'tries again before any output, and says so'],
    ],
  },
  {
    words: /\b40[13]\b|invalid key|unauthori|forbidden|quota|402|billing/,
    tests: [
      [openai, 'says in words what each status means'],
      [loop, 'does not try again what would fail again'],
    ],
  },
  { words: /redirect|30[1278]/, tests: [[openai, 'follows no redirect']] },
  {
    words: /html|captive portal|wrong content type|plain text/,
    tests: [
      [openai, 'reports a page or a plain text in place of an answer'],
      [openai, 'reads a compressed stream, a wrong content type'],
    ],
  },
  {
    ids: 'PS-021',
    words: /5xx|http 5|\b5\d\d\b|backoff|overloaded(?!_error)/,
    tests: [
      [loop, 'gives up after the given attempts'],
      [loop, 'tries again before any output'],
    ],
  },
  {
    ids: 'PS-023',
    words: /context|too long|max tokens exceeded/,
    tests: [[loop, 'shrinks a conversation that does not fit']],
  },
  {
    ids: 'PS-025',
    words: /mid-stream error|error event|overloaded_error/,
    tests: [
      [loop, 'keeps what came before an error inside the stream'],
      [openai, 'reports an error inside a stream'],
    ],
  },
  {
    ids: 'PS-027',
    words: /offline|dns failure|connect|refused|unreachable|tls|certificate/,
    tests: [[openai, 'names the host that does not answer']],
  },
  {
    ids: 'PS-030 PS-031',
    words: /"size"|bomb|\bgb\b|\bsize\b|\bmb\b|huge|endless|gzip|brotli/,
    tests: [
      [openai, 'gives up on a line without end, also when it was packed small'],
      ['agent/sse', 'refuses a line or an event without end'],
    ],
  },
  {
    ids: 'PS-034',
    words: /cancel|stop pressed|abort/,
    tests: [
      [loop, 'stops at every event'],
      [openai, 'ends with nothing when it is aborted'],
    ],
  },
  {
    ids: 'PS-036',
    words: /\benum\b|finish_reason|stop_reason|unknown field/,
    tests: [[openai, 'takes an unknown finish reason']],
  },
  { words: /length|max_tokens|cut by/, tests: [[loop, 'says when an answer was cut by its limit']] },
  {
    ids: 'PS-037',
    words: /\bhistory\b|ordering|role|orphan/,
    tests: [
      [openai, 'repairs a history'],
      ['agent/anthropic', 'alternates roles, answers every call'],
    ],
  },
  {
    ids: 'PS-038',
    words: /injection in text|markup|fake tool|xml|thinking/,
    tests: [[openai, 'keeps markup that looks like a call as text']],
  },
  { words: /echo|leak|key in/, tests: [[openai, 'never repeats a key that the server echoes']] },
  { words: /usage|token count|negative|nan/, tests: [[openai, 'does without choices and usage']] },
]

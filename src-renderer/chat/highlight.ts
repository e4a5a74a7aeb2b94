import type { HighlighterCore, LanguageRegistration, ThemedToken } from 'shiki/core'

type Language = () => Promise<{ default: LanguageRegistration[] }>

/** The languages that can be colored. Each is a separate chunk, loaded when it is first needed. */
const languages: Record<string, Language> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  lua: () => import('shiki/langs/lua.mjs'),
  make: () => import('shiki/langs/make.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  powershell: () => import('shiki/langs/powershell.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}

const aliases: Record<string, string> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  'c++': 'cpp',
  h: 'c',
  hpp: 'cpp',
  cs: 'csharp',
  patch: 'diff',
  dockerfile: 'docker',
  golang: 'go',
  htm: 'html',
  svg: 'xml',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsonc: 'json',
  kt: 'kotlin',
  makefile: 'make',
  md: 'markdown',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  yml: 'yaml',
  conf: 'ini',
}

/** The language of a code fence or a file extension; null if it cannot be colored. */
export function knownLanguage(name: string): string | null {
  const lower = name.toLowerCase()
  const language = Object.hasOwn(aliases, lower) ? aliases[lower] : lower
  return language && Object.hasOwn(languages, language) ? language : null
}

export const languageOfPath = (path: string) => knownLanguage(path.split(/[./\\]/).at(-1) ?? '')

export type Tokens = ThemedToken[][]

/** Longer texts stay plain: coloring them would block the window for too long. */
const longest = 60_000
/**
 * Time limit for one line. The first line of a language also compiles its grammar; cut short, it would stay half
 * colored.
 */
const lineMs = 3000
const cache = new Map<string, Tokens>()
let starting: Promise<HighlighterCore> | undefined

export async function highlight(code: string, language: string): Promise<Tokens | null> {
  const load = Object.hasOwn(languages, language) ? languages[language] : undefined
  if (!load || code.length > longest) return null
  const key = `${language}\n${code}`
  const known = cache.get(key)
  if (known) return known
  starting ??= start()
  const highlighter = await starting
  if (!highlighter.getLoadedLanguages().includes(language)) await highlighter.loadLanguage(await load())
  const { tokens } = highlighter.codeToTokens(code, { lang: language, theme: 'deckhand', tokenizeTimeLimit: lineMs })
  cache.set(key, tokens)
  // The oldest is dropped first; a row that scrolls back into view asks again.
  if (cache.size > 200) cache.delete(cache.keys().next().value ?? '')
  return tokens
}

/** Cached tokens, so that a row that scrolls back into view is colored at once. */
export const highlighted = (code: string, language: string) => cache.get(`${language}\n${code}`)

/** Colors are CSS variables of our themes, so that they follow light and dark. */
async function start(): Promise<HighlighterCore> {
  const [{ createHighlighterCore, createCssVariablesTheme }, { createJavaScriptRegexEngine }] = await Promise.all([
    import('shiki/core'),
    import('shiki/engine/javascript'),
  ])
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: 'deckhand', variablePrefix: '--code-', fontStyle: false })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
}

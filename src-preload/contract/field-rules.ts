/** Rules that the schema of a call enforces and that a form explains beforehand. Without zod, which the window does not load. */

interface TextRule {
  pattern: RegExp
  longest: number
  words: string
}

/** Part of session keys and of `channel:peer` addresses, so it holds no colon. */
export const channelNameRule: TextRule = {
  pattern: /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/,
  longest: 32,
  words: 'Lower case letters and digits, with dashes or underscores between them, 32 at most',
}

/** Never `__`, which separates a server from a tool. */
export const serverIdRule: TextRule = {
  pattern: /^[A-Za-z0-9](?:[_-]?[A-Za-z0-9])*$/,
  longest: 32,
  words: 'Letters and digits, with single dashes or underscores between them, 32 at most',
}

export const fits = (text: string, { pattern, longest }: TextRule): boolean =>
  text.length <= longest && pattern.test(text)

export const longestAddress = 2000

export const isWebAddress = (text: string): boolean =>
  text.length <= longestAddress && /^https?:$/.test(URL.parse(text)?.protocol ?? '')

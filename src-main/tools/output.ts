import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Content, TextContent } from '../../src-preload/contract/content'
import { errorCode } from '../error-code'

export interface ResultLimits {
  /** The size limit for the text of a result, in bytes of UTF-8. */
  maxResultBytes: number
  /** Where the complete text is saved if it is too long. */
  spillDir: string
  /** How an oversized text is cut, instead of in its middle. */
  cut?(text: string, budget: number): string
}

/** Base64 of 10 MiB: the largest image that a tool may return to a model. */
const maxImageChars = Math.ceil((10 * 1024 * 1024) / 3) * 4

/**
 * The only place where results are cut. Text keeps its head and its tail and says what was left out and where the
 * complete text is; a JSON object stays a JSON object, cut inside its longest string.
 */
export async function boundResult(content: Content[], limits: ResultLimits, callId: string): Promise<Content[]> {
  const shown = content.map((part) =>
    part.type === 'text' ? { ...part, text: showInvisible(part.text) } : boundImage(part),
  )
  const weights = shown.map((part) => (part.type === 'text' ? Buffer.byteLength(part.text) : 0))
  if (weights.reduce((sum, weight) => sum + weight, 0) <= limits.maxResultBytes) return shown

  const budgets = share(limits.maxResultBytes, weights)
  return Promise.all(
    shown.map((part, index) => {
      if (part.type !== 'text') return part
      return boundText(part, budgets[index] ?? 0, limits, index === 0 ? callId : `${callId}-${index}`)
    }),
  )
}

/** Short texts stay whole; long ones share the rest evenly. */
function share(room: number, weights: number[]): number[] {
  const budgets = weights.map(() => 0)
  let left = room
  const ascending = weights.map((weight, index) => ({ weight, index })).sort((a, b) => a.weight - b.weight)
  for (const [done, { weight, index }] of ascending.entries()) {
    const budget = Math.min(weight, Math.floor(left / (ascending.length - done)))
    budgets[index] = budget
    left -= budget
  }
  return budgets
}

async function boundText(part: TextContent, budget: number, limits: ResultLimits, name: string): Promise<TextContent> {
  const { spillDir, cut } = limits
  if (Buffer.byteLength(part.text) <= budget) return part
  if (cut) return { type: 'text', text: cut(part.text, budget) }
  const longest = longestStringIn(part.text)
  const where = await spill(longest?.value ?? part.text, spillDir, name)
  const inJson = longest && shortenIn(longest, budget, where)
  return { type: 'text', text: inJson ?? cutMiddle(part.text, budget, where) }
}

/** A full disk must not turn a result into a failure only because its complete text cannot be saved. */
async function spill(text: string, spillDir: string, name: string): Promise<string> {
  const path = join(spillDir, `${name.replace(/[^\w.-]/g, '_')}.txt`)
  try {
    await mkdir(spillDir, { recursive: true, mode: 0o700 })
    await writeFile(path, text, { mode: 0o600 })
    return `the whole text is in ${path}`
  } catch (error) {
    return `the whole text could not be kept (${errorCode(error) ?? error})`
  }
}

/** Keeps the head and a longer tail, since ends are more informative. The result fits into `budget` bytes. */
export function cutMiddle(text: string, budget: number, where: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= budget) return text
  const marker = (left: number): string => `\n[… ${left.toLocaleString('en-US')} bytes left out; ${where} …]\n`
  const room = Math.max(0, budget - Buffer.byteLength(marker(bytes.length)))
  const headEnd = characterStart(bytes, Math.floor(room / 3))
  let tailStart = bytes.length - (room - headEnd)
  while (tailStart < bytes.length && isContinuation(bytes[tailStart])) tailStart++
  return bytes.toString('utf8', 0, headEnd) + marker(tailStart - headEnd) + bytes.toString('utf8', tailStart)
}

function characterStart(bytes: Buffer, index: number): number {
  let start = index
  while (start > 0 && isContinuation(bytes[start])) start--
  return start
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

interface JsonString {
  root: unknown
  holder: Record<string, unknown>
  key: string
  value: string
}

function longestStringIn(text: string): JsonString | null {
  if (!text.startsWith('{')) return null
  let root: unknown
  try {
    root = JSON.parse(text)
  } catch {
    return null
  }
  let longest: JsonString | null = null
  const visit = (holder: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value === 'string' && value.length > (longest?.value.length ?? -1))
        longest = { root, holder, key, value }
      else if (typeof value === 'object' && value !== null) visit(value as Record<string, unknown>)
    }
  }
  visit(root as Record<string, unknown>)
  return longest
}

/** Escapes make the JSON longer than the text, so the budget for the text is found in a few steps. */
function shortenIn({ root, holder, key, value }: JsonString, budget: number, where: string): string | null {
  let room = Buffer.byteLength(value)
  for (let attempt = 0; attempt < 12; attempt++) {
    holder[key] = cutMiddle(value, room, where)
    const json = JSON.stringify(root)
    const excess = Buffer.byteLength(json) - budget
    if (excess <= 0) return json
    const weight = Math.max(1, Buffer.byteLength(JSON.stringify(holder[key])) / Math.max(1, room))
    room -= Math.ceil(excess / weight) + 16
    if (room < 256) return null
  }
  return null
}

function boundImage(part: Content): Content {
  if (part.type !== 'image' || part.data.length <= maxImageChars) return part
  return { type: 'text', text: `[An image (${part.mimeType}) was left out: it is larger than 10 MB]` }
}

/**
 * Tag characters (U+E0000–E007F) are invisible, yet models read them as letters: text that a user cannot see must not
 * steer the agent. Lone surrogates would break the request.
 */
export function showInvisible(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u{E0000}-\u{E007F}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`)
}

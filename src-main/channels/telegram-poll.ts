import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { isRecord } from '../is-record'
import { redact } from '../redact'
import { post } from './http'
import type { IncomingMessage } from './types'

/** The fields of an update that are used; all others are ignored. */
const update = z.object({
  update_id: z.int(),
  message: z
    .object({
      message_id: z.int(),
      from: z
        .object({
          id: z.int(),
          first_name: z.string().optional(),
          last_name: z.string().optional(),
          username: z.string().optional(),
        })
        .optional(),
      chat: z.object({ id: z.int(), type: z.string() }),
      text: z.string().optional(),
      caption: z.string().optional(),
    })
    .optional(),
})
const updates = z.object({ ok: z.literal(true), result: z.array(z.unknown()) })

interface PollOptions {
  channel: string
  accountId: string
  baseUrl: string
  token: string
  /** Duration of one long poll. */
  waitSeconds: number
  backoffMs: number
  fetch: typeof fetch
  signal: AbortSignal
  /** The id of the next update to fetch; kept across restarts. */
  offset(): number
  setOffset(offset: number): void
  take(message: IncomingMessage): void
  /** Reports an error message, or `null` when polling works again. */
  problem(words: string | null): void
  log(error: unknown): void
}

const longestPauseMs = 60_000

/** Polls Telegram for messages until the signal aborts. Failures are reported and retried with a growing delay. */
export const pollTelegram = async (options: PollOptions): Promise<void> => {
  const { signal } = options
  const url = `${options.baseUrl.replace(/\/+$/, '')}/bot${options.token}/getUpdates`
  for (let failures = 0; !signal.aborted; ) {
    try {
      const body = { offset: options.offset(), timeout: options.waitSeconds, allowed_updates: ['message'] }
      const timeoutMs = (options.waitSeconds + 15) * 1000
      const text = await post(url, JSON.stringify(body), {
        signal,
        backoffMs: options.backoffMs,
        fetch: options.fetch,
        secrets: [options.token],
        timeoutMs,
      })
      for (const raw of updates.parse(JSON.parse(text)).result) takeUpdate(raw, options)
      if (failures > 0) options.problem(null)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      failures++
      options.problem(redact(error instanceof Error ? error.message : String(error), [options.token]))
      await pause(Math.min(options.backoffMs * 2 ** failures, longestPauseMs), signal)
    }
  }
}

/** An update that cannot be parsed or handled is skipped, otherwise it would be delivered again forever. */
const takeUpdate = (raw: unknown, options: PollOptions): void => {
  const read = update.safeParse(raw)
  const id = read.success ? read.data.update_id : Number(isRecord(raw) ? raw.update_id : undefined)
  try {
    const message = read.success ? toMessage(read.data, options) : null
    if (message) options.take(message)
  } catch (error) {
    options.log(error)
  }
  if (Number.isSafeInteger(id)) options.setOffset(id + 1)
}

const toMessage = (
  { message }: z.output<typeof update>,
  { channel, accountId }: PollOptions,
): IncomingMessage | null => {
  const text = message?.text ?? message?.caption
  if (!message?.from || !text) return null
  const { from, chat } = message
  const peerKind = chat.type === 'private' ? 'dm' : chat.type === 'channel' ? 'channel' : 'group'
  return {
    channel,
    accountId,
    sender: String(from.id),
    senderName: [from.first_name, from.last_name].filter(Boolean).join(' ') || from.username || String(from.id),
    peer: String(chat.id),
    peerKind,
    text,
    messageId: String(message.message_id),
  }
}

const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

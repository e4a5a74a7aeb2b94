import type { ChannelRows, KeptChannel } from './channel-rows'
import type { InboundOptions } from './inbound'
import { telegramBase } from './services'

interface Poll {
  /** The settings it was started with; when they change, it is replaced. */
  mark: string
  controller: AbortController
  done: Promise<void>
}

type PollsOptions = Pick<
  InboundOptions,
  'secretOf' | 'setProblem' | 'take' | 'log' | 'backoffMs' | 'fetch' | 'pollSeconds'
> & { rows: ChannelRows }

/** One poll for each bot that accepts messages. */
export const createTelegramPolls = (options: PollsOptions) => {
  const { rows, log } = options
  const polls = new Map<string, Poll>()

  const refresh = (listening: readonly KeptChannel[]): void => {
    const wanted = new Map<string, { channel: KeptChannel; token: string; mark: string }>()
    for (const channel of listening) {
      const token = channel.kind === 'telegram' ? options.secretOf(channel.channel, channel.accountId, 'token') : null
      if (token === null) continue
      const mark = `${channel.baseUrl ?? ''} ${token}`
      wanted.set(`${channel.channel}/${channel.accountId}`, { channel, token, mark })
    }
    for (const [key, poll] of polls) {
      if (wanted.get(key)?.mark === poll.mark) continue
      poll.controller.abort()
      polls.delete(key)
    }
    for (const [key, { channel, token, mark }] of wanted) {
      if (!polls.has(key)) polls.set(key, startPoll(key, channel, token, mark))
    }
  }

  const startPoll = (key: string, { channel, accountId, baseUrl }: KeptChannel, token: string, mark: string): Poll => {
    const controller = new AbortController()
    const state = `telegram:${key}`
    const poll: Parameters<typeof import('./telegram-poll').pollTelegram>[0] = {
      channel,
      accountId,
      baseUrl: baseUrl ?? telegramBase,
      token,
      waitSeconds: options.pollSeconds,
      backoffMs: options.backoffMs,
      fetch: options.fetch,
      signal: controller.signal,
      offset: () => Number(rows.state(state) ?? 0),
      setOffset: (offset) => rows.setState(state, String(offset)),
      take: options.take,
      problem: (words) => options.setProblem(channel, accountId, words),
      log: (error) => log.error('A message from Telegram could not be taken', { error }),
    }
    // Loaded on demand, since most people have no bot.
    const done = import('./telegram-poll')
      .then(({ pollTelegram }) => pollTelegram(poll))
      .catch((error: unknown) => log.error('Asking Telegram for messages ended', { error }))
    return { mark, controller, done }
  }

  return {
    /** Starts and stops polls, so that there is one for each of these channels. */
    refresh,
    /** Settles with the end of each poll that runs. */
    ends: (): Promise<void>[] => [...polls.values()].map(({ done }) => done),
  }
}

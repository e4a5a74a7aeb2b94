import { z } from 'zod'
import { call, id, none, read } from './call'
import type { HostedEvent } from './hosted'
import { hostPattern } from './settings-calls'

/** Agents of other makers that play the turns of a session. */
export const hostedCalls = {
  /** Looks for them anew. */
  'hosted.list': read<HostedEvent>()(none),
  /** What is known of the agent of a session; empty where it has none, or it was never started. */
  'hosted.status': read<HostedEvent[]>()(() => z.strictObject({ sessionId: id })),
  /** Starts the agent of a session, so that its modes and models can be chosen before the first message. */
  'hosted.open': call<null>()(() => z.strictObject({ sessionId: id }), 'Start the agent of this session?'),
  'hosted.choose': call<null>()(
    () => z.strictObject({ sessionId: id, optionId: z.string().min(1).max(1000), value: z.string().max(10_000) }),
    'Change an option of the agent?',
  ),
  /** From its next start on the agent runs in the sandbox, or outside. */
  'hosted.setCage': call<null>()(
    () => z.strictObject({ agent: z.string().min(1).max(1000), on: z.boolean() }),
    'Change whether the agent runs in the sandbox?',
  ),
  'hosted.allowHost': call<null>()(
    () => z.strictObject({ agent: z.string().min(1).max(1000), host: hostPattern }),
    'Let the agent connect to this host?',
  ),
  /** Answers with the terminal that it goes on in, where it is one. */
  'hosted.signIn': call<string | null>()(
    () => z.strictObject({ sessionId: id, methodId: z.string().min(1).max(1000) }),
    'Sign in to the agent?',
  ),
} as const

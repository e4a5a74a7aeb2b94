import { z } from 'zod'
import { call, id, none, read, unasked, webAddress } from './call'
import type { Attachment } from './messages'
import type { SessionPort } from './preview'

const length = z.number().min(0).max(20_000)
const box = z.strictObject({ x: length, y: length, width: length, height: length })

/** What runs in a session and can be looked at: its ports, its pages, and what ended and may run again. */
export const previewCalls = {
  'process.ports': read<SessionPort[]>()(() => z.strictObject({ sessionId: id })),
  /** Runs the command of a process that has ended once more, as the user. Answers with the id of the new one. */
  'process.again': call<string>()(() => z.strictObject({ id }), 'Run a command again?'),
  /** `typed`: the user wrote the address, so it may lead away from what the session runs. */
  'preview.open': call<null>()(
    () => z.strictObject({ sessionId: id, url: webAddress, typed: z.boolean().optional() }),
    'Show a page beside the chat?',
  ),
  'preview.reload': call<null>()(none),
  'preview.back': call<null>()(none),
  'preview.close': unasked<null>('Closing a page changes nothing.')(none),
  /** Where the window has left room for the page; nowhere while something else is in front of it. */
  'preview.place': unasked<null>('It follows from the layout of the window.')(() =>
    z.strictObject({ box: box.nullable() }),
  ),
  /** Gives the page the keyboard. */
  'preview.focus': call<null>()(none),
  'preview.picture': call<Attachment>()(none, 'Take a picture of the page beside the chat?'),
}

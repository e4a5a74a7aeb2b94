import { z } from 'zod'
import { call, id, read } from './call'
import type { InstructionsEvent } from './instructions'

const folder = z.string().min(1).max(4096)

/** Instructions that come with folders. */
export const instructionCalls = {
  /** Reads the files of the session's folder. */
  'instructions.get': read<InstructionsEvent>()(() => z.strictObject({ sessionId: id })),
  /** The words of the files, as the agent gets them. */
  'instructions.text': read<string>()(() => z.strictObject({ sessionId: id })),
  'instructions.decide': call<null>()(
    () => z.strictObject({ sessionId: id, folder, use: z.boolean() }),
    'Let the agent follow the instructions of this folder?',
  ),
  /** Lets a CLAUDE.md import a file from outside its folder. */
  'instructions.allowImport': call<null>()(
    () => z.strictObject({ sessionId: id, folder, path: folder }),
    ({ path }) => `Give the agent ${path} with the instructions of this folder?`,
  ),
} as const

import { z } from 'zod'
import { call, id, none, read } from './call'
import type { EditorOnMachine } from './editors'

const path = z.string().min(1).max(4096)
const position = z.int().min(1).max(10_000_000)

/** Opening files in the user's editor. */
export const editorCalls = {
  'editor.list': read<EditorOnMachine[]>()(none),
  /** For each path, whether there is such a file or folder. Relative ones begin at `cwd`, or at the session's workspace. */
  'editor.exists': read<boolean[]>()(() =>
    z.strictObject({ sessionId: id, paths: z.array(path).max(100), cwd: path.optional() }),
  ),
  /** Answers with the process of an editor that runs in a terminal. */
  'editor.open': call<string | null>()(
    () =>
      z.strictObject({
        sessionId: id,
        path,
        line: position.optional(),
        column: position.optional(),
        cwd: path.optional(),
      }),
    'Open a file in your editor?',
  ),
}

import { z } from 'zod'
import type { Access, PathAccess } from '../../approval/types'
import { type DecodedText, decodeText } from '../../changes/text-encoding'
import { isHere, type ShellNode } from '../../nodes/shell/shell-node'
import { clipHead } from '../../tools/characters'
import { accessTo, accessToOne, resolvePath } from '../../tools/files/paths'
import { createWriteTool, type WriteInput } from '../../tools/files/write'
import { inputShape } from '../../tools/input'
import { localToolNode } from '../../tools/nodes/tool-node'
import { textContent } from '../../tools/text-content'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '../../tools/tool'

const fileCharacters = 8000
/** The most bytes that this many characters and one more can have. */
const headBytes = 4 * (fileCharacters + 1)

const path = z
  .string()
  .min(1, 'must not be empty')
  .refine((value) => !value.includes('\0'), 'must not contain NUL characters')
const readShape = inputShape(() => z.object({ path }))
const writeShape = inputShape(() => z.object({ path, content: z.string() }))

/** A text file on the machine that the vocabulary works on. */
export function createBuddyRead(machine: () => ShellNode): Tool<ReturnType<typeof readShape.parse>> {
  return {
    description: 'Read the contents of a file; what is longer than 8000 characters is cut.',
    ...readShape,
    readOnly: true,
    access: (input, context) => accessThere('read', input.path, machine(), context),
    gist: (input) => input.path,
    async run(input, { workspace, signal, checked }) {
      const bytes = await machine().files.read(pathAt(machine(), input.path, workspace), {
        mostBytes: headBytes,
        signal,
        checked,
      })
      const decoded = decodeHead(bytes)
      if (!decoded) throw new ToolFailure('ExecutionFailed', `${input.path} is not a text file`)
      const text = clipHead(decoded.text, fileCharacters)
      const lines = text.split('\n').length
      return { content: textContent(text), display: { type: 'file', path: input.path, startLine: 1, lines, text } }
    },
  }
}

/** The cut may have split a character. */
function decodeHead(bytes: Buffer): DecodedText | null {
  const mostCut = bytes.length === headBytes ? 3 : 0
  for (let cut = 0; cut <= mostCut; cut++) {
    const decoded = decodeText(bytes.subarray(0, bytes.length - cut))
    if (decoded) return decoded
  }
  return null
}

/** A whole file there, new or overwritten. */
export function createBuddyWrite(machine: () => ShellNode): Tool<WriteInput> {
  const here = createWriteTool(localToolNode())
  return {
    ...here,
    ...writeShape,
    description: 'Write content to a file, creating it if needed and overwriting it if it exists.',
    access: (input, context) => accessThere('write', input.path, machine(), context),
    preview: async (input, context) => (isHere(machine()) ? ((await here.preview?.(input, context)) ?? []) : []),
    async run(input, context): Promise<ToolResult> {
      const place = machine()
      const data = Buffer.from(input.content)
      const content = textContent(`Wrote ${data.length} bytes to ${input.path}`)
      if (isHere(place)) return { ...(await here.run(input, context)), content }
      await place.files.write(input.path, data)
      return { content }
    },
  }
}

/** On another machine a relative path starts wherever the machine says, so it is left unchanged. */
const pathAt = (place: ShellNode, path: string, workspace: string): string =>
  isHere(place) ? resolvePath(path, workspace) : path

const accessThere = (
  access: PathAccess['access'],
  path: string,
  place: ShellNode,
  { workspace }: ToolContext,
): Access =>
  isHere(place) ? accessToOne(access, path, place.id, workspace) : accessTo([{ path, access }], place.id, workspace)

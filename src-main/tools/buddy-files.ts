import { z } from 'zod'
import type { Access, PathAccess } from '../approval/types'
import type { Backend } from '../nodes/backend'
import { clipHead } from './buddy-text'
import { createFileMemory } from './file-memory'
import { inputShape } from './input'
import { words } from './miclaw-files'
import { isHere, onBackend } from './on-backend'
import { withFile } from './open-file'
import { accessTo, accessToOne, resolvePath } from './paths'
import { readStart } from './read'
import { type DecodedText, decodeText } from './text-encoding'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from './tool'
import { createWriteTool, type WriteInput } from './write'

const fileCharacters = 8000
/** As long as so many characters and one more can be. */
const headBytes = 4 * (fileCharacters + 1)

const path = z
  .string()
  .min(1, 'must not be empty')
  .refine((value) => !value.includes('\0'), 'must not contain NUL characters')
const readShape = inputShape(z.object({ path }))
const writeShape = inputShape(z.object({ path, content: z.string() }))

/** A text file on the machine that the vocabulary works on. */
export function createBuddyRead(backend: () => Backend): Tool<ReturnType<typeof readShape.parse>> {
  return {
    description: 'Read the contents of a file; what is longer than 8000 characters is cut.',
    ...readShape,
    readOnly: true,
    access: (input, context) => accessThere('read', input.path, backend(), context),
    gist: (input) => input.path,
    async run(input, { workspace }) {
      const place = backend()
      const bytes = isHere(place)
        ? await withFile(resolvePath(input.path, workspace), (file) => readStart(file, headBytes))
        : await onBackend(() => place.readFile(input.path, headBytes))
      const decoded = decodeHead(bytes)
      if (!decoded) throw new ToolFailure('ExecutionFailed', `${input.path} is not a text file`)
      const text = clipHead(decoded.text, fileCharacters)
      const lines = text.split('\n').length
      return { content: words(text), display: { type: 'file', path: input.path, startLine: 1, lines, text } }
    },
  }
}

/** The cut may have gone through a character. */
function decodeHead(bytes: Buffer): DecodedText | null {
  const mostCut = bytes.length === headBytes ? 3 : 0
  for (let cut = 0; cut <= mostCut; cut++) {
    const decoded = decodeText(bytes.subarray(0, bytes.length - cut))
    if (decoded) return decoded
  }
  return null
}

/** A whole file there, new or overwritten. */
export function createBuddyWrite(backend: () => Backend): Tool<WriteInput> {
  const here = createWriteTool(createFileMemory(), 'local')
  return {
    ...here,
    ...writeShape,
    description: 'Write content to a file, creating it if needed and overwriting it if it exists.',
    access: (input, context) => accessThere('write', input.path, backend(), context),
    preview: async (input, context) => (isHere(backend()) ? ((await here.preview?.(input, context)) ?? []) : []),
    async run(input, context): Promise<ToolResult> {
      const place = backend()
      const data = Buffer.from(input.content)
      const { display } = isHere(place)
        ? await here.run(input, context)
        : await onBackend(() => place.writeFile(input.path, data)).then((): Partial<ToolResult> => ({}))
      return { content: words(`Wrote ${data.length} bytes to ${input.path}`), ...(display && { display }) }
    },
  }
}

/** Elsewhere a relative path starts wherever the machine says, so it stays as it is. */
const accessThere = (access: PathAccess['access'], path: string, place: Backend, { workspace }: ToolContext): Access =>
  isHere(place) ? accessToOne(access, path, place.node, workspace) : accessTo([{ path, access }], place.node, workspace)

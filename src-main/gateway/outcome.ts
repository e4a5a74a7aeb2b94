import { z } from 'zod'
import type { Content } from '../../src-preload/contract/content'
import type { Display, ToolErrorKind } from '../../src-preload/contract/tool-calls'
import type { InvokeOutcome } from './invoke'
import type { toolResult } from './wire'

/** Nodes may send malformed data, so everything they send is validated before it is shown. */

/** Made with the first node's answer: the start of the app does not need them. */
function makeSchemas() {
  const text = z.string()
  const path = z.string().max(10_000)
  const content = z.array(
    z.union([
      z.object({ type: z.literal('text'), text }),
      z.object({ type: z.literal('image'), data: z.base64(), mimeType: z.string().regex(/^image\/[\w.+-]{1,50}$/) }),
    ]),
  )
  const count = z.number().min(0)
  const displaySchema = z.union([
    z.object({
      type: z.literal('process'),
      processId: z.uuid(),
      command: text,
      exitCode: z.number().nullable().optional(),
      tail: text.optional(),
      bytes: count.optional(),
    }),
    z.object({
      type: z.literal('file'),
      path,
      startLine: count,
      lines: count,
      text,
      truncated: z.boolean().optional(),
    }),
    z.object({
      type: z.literal('diff'),
      files: z.array(
        z.object({
          path,
          kind: z.enum(['add', 'update', 'delete', 'move']),
          patch: text,
          added: count,
          removed: count,
        }),
      ),
    }),
    z.object({
      type: z.literal('matches'),
      rows: z.array(z.object({ path, line: count.optional(), text: text.optional() })),
      total: count,
      listing: z.literal(true).optional(),
    }),
    z.object({
      type: z.literal('image'),
      path,
      mimeType: z.string().regex(/^image\/[\w.+-]{1,50}$/),
      data: z.base64(),
    }),
    z.object({ type: z.literal('text'), text }),
  ])

  const kinds = z.enum([
    'NotFound',
    'InvalidArgs',
    'ExecutionFailed',
    'PermissionDenied',
    'FileNotFound',
    'InvalidPath',
    'Timeout',
  ])

  return { content, displaySchema, kinds }
}

let made: ReturnType<typeof makeSchemas> | undefined
const schemas = (): ReturnType<typeof makeSchemas> => {
  made ??= makeSchemas()
  return made
}

export function displayOf(value: unknown): Display | undefined {
  const read = schemas().displaySchema.safeParse(value)
  return read.success ? read.data : undefined
}

/** Converts a `tool.result` frame into the outcome of the call. */
export function outcomeOf(frame: z.output<typeof toolResult>): InvokeOutcome {
  const display = displayOf(frame.display)
  if (frame.error !== undefined) {
    const kind: ToolErrorKind = schemas().kinds.safeParse(frame.kind).data ?? 'ExecutionFailed'
    return { ok: false, kind, error: frame.error, content: schemas().content.safeParse(frame.content).data, display }
  }
  return { ok: true, result: frame.result, content: contentOf(frame.result), display }
}

/** Images travel as structured content, everything else as one JSON object. */
function contentOf(result: unknown): Content[] {
  if (typeof result === 'object' && result !== null && 'content' in result) {
    const parts = schemas().content.safeParse(result.content)
    if (parts.success) return parts.data
  }
  return [{ type: 'text', text: JSON.stringify(result ?? null) }]
}

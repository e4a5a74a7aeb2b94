import { z } from 'zod'
import { isRecord } from '../is-record'
import { ToolFailure } from './tool'

/** A tool's arguments: the schema for the model, and the parser that enforces it. */
interface InputShape<Input> {
  schema: Record<string, unknown>
  parse(raw: unknown): Input
}

/**
 * Arguments as one zod object. A `null` counts as left out: several providers make models fill in every field. `check`
 * throws for what the schema cannot express.
 */
export function inputShape<Shape extends z.ZodObject>(
  makeShape: () => Shape,
  check?: (input: z.output<Shape>) => void,
): InputShape<z.output<Shape>> {
  // Both are made on first use: only the vocabularies in use need them, and the start of the app does not.
  let made: Shape | undefined
  let schema: Record<string, unknown> | undefined
  const shapeOf = (): Shape => {
    made ??= makeShape()
    return made
  }
  return {
    get schema() {
      schema ??= jsonSchema(shapeOf())
      return schema
    },
    parse(raw) {
      if (!isRecord(raw)) {
        throw new ToolFailure('InvalidArgs', 'The arguments must be a JSON object')
      }
      const result = shapeOf().safeParse(Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null)))
      if (!result.success)
        throw new ToolFailure('InvalidArgs', result.error.issues.map((issue) => explain(issue, raw)).join('; '))
      check?.(result.data)
      return result.data
    },
  }
}

/** The schema is part of every request, so everything that a model does not need is removed. */
function jsonSchema(shape: z.ZodObject): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io: 'input',
    override: ({ jsonSchema: node }) => {
      delete node.default
      delete node.propertyNames
      if (node.minimum !== undefined && node.minimum <= Number.MIN_SAFE_INTEGER) delete node.minimum
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum
    },
  })
  return schema
}

function explain(issue: z.core.$ZodIssue, raw: object): string {
  const name = issue.path.join('.')
  const top = issue.path[0]
  const missing = issue.path.length === 1 && (!Object.hasOwn(raw, String(top)) || raw[top as keyof typeof raw] === null)
  if (missing && issue.code === 'invalid_type') return `\`${name}\` is required`
  return name ? `\`${name}\`: ${issue.message}` : issue.message
}

import { isRecord } from '../is-record'

type Schema = Record<string, unknown>

/**
 * A sentence for each argument that a tool does not know, at any depth, by the schema that the model was given.
 * Ignoring an argument could change what the call does, so the model is told.
 */
export const unknownArguments = (
  schema: Schema,
  value: unknown,
  unlisted: readonly string[] = [],
  path = '',
): string[] => {
  const { properties, items, anyOf, additionalProperties } = schema
  if (Array.isArray(anyOf)) {
    // The alternative with the fewest unknown arguments is the intended one.
    const found = anyOf.map((option) => unknownArguments(option, value, unlisted, path))
    return found.toSorted((a, b) => a.length - b.length)[0] ?? []
  }
  if (Array.isArray(value))
    return isRecord(items) ? value.flatMap((item, index) => unknownArguments(items, item, [], `${path}[${index}]`)) : []
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  if (!isRecord(value) || !isRecord(properties) || isOpen) return []
  const known = Object.keys(properties)
  return Object.entries(value).flatMap(([name, each]) => {
    // Several providers make models fill in every field.
    if (each === null || unlisted.includes(name)) return []
    const full = path ? `${path}.${name}` : name
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (inner === undefined) return [`Unknown argument: ${full}; known: ${known.join(', ') || 'none'}`]
    return isRecord(inner) ? unknownArguments(inner, each, [], full) : []
  })
}

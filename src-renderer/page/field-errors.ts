import { type FieldRule, problemWith } from '../../src-preload/contract/field-rules'

/** A value with its rule, or an error message; nothing if there is nothing to check. */
type Check = readonly [text: string, rule: FieldRule] | string | undefined | false

/** The error message of each invalid field. */
export function fieldErrors<Field extends string>(
  checks: Partial<Record<Field, Check>>,
): Partial<Record<Field, string>> {
  const errors: Partial<Record<Field, string>> = {}
  for (const field in checks) {
    const check: Check = checks[field]
    const problem = typeof check === 'object' ? problemWith(...check) : check
    if (problem) errors[field] = problem
  }
  return errors
}

/** Checks a field that may be left empty. */
export const ifTyped = (text: string, rule: FieldRule): Check => text.trim() !== '' && [text.trim(), rule]

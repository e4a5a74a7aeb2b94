import type { Assignment, Redirection } from 'unbash'
import { type ExpandContext, expandWord } from './expand'
import type { Field } from './field'
import type { Redirect } from './plan'

type HereDoc = Extract<Redirection, { type: 'HereDoc' }>

/** Reads redirections. `onOpenBlock` is called for every text block that the shell would expand. */
export function readRedirects(
  redirections: readonly Redirection[],
  context: ExpandContext,
  onOpenBlock: (block: HereDoc) => void,
): Redirect[] {
  return redirections.map((redirection) => {
    const named = redirection.descriptor?.type === 'FileDescriptorVariable'
    const descriptor = redirection.descriptor?.type === 'FileDescriptor' ? redirection.descriptor.value : null
    const trouble = named ? 'opens a file under a name' : null
    if (redirection.type === 'HereDoc') {
      const { target, trouble: open } = textBlock(redirection)
      if (open !== null) onOpenBlock(redirection)
      return { operator: '<<', descriptor, target, trouble: trouble ?? open }
    }
    const { fields, trouble: odd } = redirection.target
      ? expandWord(redirection.target, context)
      : { fields: [], trouble: 'lacks a target' }
    const single = fields.length === 1 ? (fields[0] ?? null) : null
    return {
      operator: redirection.operator,
      descriptor,
      target: single,
      trouble: trouble ?? odd ?? (single ? null : 'has no single target'),
    }
  })
}

function textBlock(block: HereDoc): { target: Field; trouble: string | null } {
  const target: Field = { text: block.body.text, unknown: false, pattern: null }
  if (block.delimiter?.quoted || !/[$`\\]/.test(target.text)) return { target, trouble: null }
  return { target: { ...target, unknown: true }, trouble: 'expands what stands in its text block' }
}

/** The value of an assignment; `null` when only the running shell would know it. */
export function assignedText(assignment: Assignment, context: ExpandContext): string | null {
  if (assignment.value?.type === 'ArrayValue') {
    for (const element of assignment.value.elements) expandWord(element, context)
    return null
  }
  if (!assignment.value) return ''
  const { fields } = expandWord(assignment.value, context)
  return fields.some((field) => field.unknown) ? null : fields.map((field) => field.text).join(' ')
}

import type { Invocation } from './plan'

/** What `$(echo rm)` prints, and a stand-in for what `$(mktemp -d)` does; `null` for anything else. */
export function plainOutput(invocations: Invocation[]): string | null {
  const [only, ...more] = invocations
  if (!only || more.length > 0 || only.redirects.length > 0) return null
  const words = only.fields.map((field) => field.text)
  if (only.fields.some((field) => field.unknown || field.pattern)) return null
  if (words[0] === 'mktemp') return '/tmp/mktemp.folder/unnamed'
  if (words[0] === 'pwd' && words.length === 1) return only.cwds.length === 1 ? (only.cwds[0] ?? null) : null
  if (words[0] === 'echo') return words.slice(words[1] === '-n' ? 2 : 1).join(' ')
  if (words[0] === 'printf' && words.length === 2 && !/[%\\]/.test(words[1] ?? '')) return words[1] ?? ''
  return null
}

import { ToolFailure } from '../tool'

interface Replacement {
  text: string
  count: number
}

/**
 * Replaces exact text. In a file whose lines all end in `\r\n`, `\n` in both strings stands for `\r\n`, since readers
 * do not see the difference. Throws `ToolFailure` if there is no match, or more than one without `all`.
 */
export function replaceText(text: string, oldString: string, newString: string, all: boolean): Replacement {
  if (oldString === '') throw new ToolFailure('InvalidArgs', '`oldString` is empty; use Write to create a file')
  if (oldString === newString) throw new ToolFailure('InvalidArgs', '`oldString` and `newString` are the same')
  const toFile = usesCrLf(text) ? (part: string) => part.replace(/\r?\n/g, '\r\n') : (part: string) => part
  const wanted = text.includes(oldString) ? oldString : toFile(oldString)
  const pieces = text.split(wanted)
  const count = pieces.length - 1
  if (count === 0) throw new ToolFailure('ExecutionFailed', `\`oldString\` was not found${nearMiss(text, oldString)}`)
  if (count > 1 && !all) {
    throw new ToolFailure(
      'ExecutionFailed',
      `\`oldString\` was found ${count} times; add context to make it unique, or use replaceAll: true`,
    )
  }
  return { text: pieces.join(toFile(newString)), count }
}

const usesCrLf = (text: string): boolean => text.includes('\r\n') && !/(^|[^\r])\n/.test(text)

/** Most misses differ only in whitespace: says where. */
function nearMiss(text: string, oldString: string): string {
  const bare = (part: string): string => part.replace(/\s+/g, ' ').trim()
  const wanted = oldString.split('\n').map(bare).filter(Boolean)
  const first = wanted[0]
  if (!first) return ''
  const lines = text.split('\n').map(bare)
  const at = lines.findIndex(
    (line, index) => line === first && wanted.every((part, step) => lines[index + step] === part),
  )
  if (at !== -1) return `; line ${at + 1} differs only in whitespace`
  const start = lines.indexOf(first)
  return start === -1 ? '' : `; its first line is line ${start + 1}, but what follows differs`
}

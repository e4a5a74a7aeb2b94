/** Parts of a stack trace, prompts of runtimes and other lines that do not explain what went wrong. */
const noise =
  /^\s*$|^\s+at\s|^\s*File "|^\s*\^+\s*$|^Node\.js v\d|^Traceback|^\s*[{}[\]();,]+\s*$|^npm (?:notice|warn|error A complete log)|^node:internal|^\s*(?:throw|code:|errno:|syscall:|requireStack:)/i
const speaksOfTrouble =
  /(?:\b\w*(?:Error|Exception)\b|\bfatal\b|\bpanic(?:ked)?\b|\bfailed\b|\bcannot\b|\bcould not\b|\bunable to\b|not found|no such|denied|refused|missing|required|invalid|unknown)/i

/**
 * The line of a program's stderr that best explains why it ended: the last one that mentions an error, otherwise the
 * last meaningful one. What follows an error is often a stack trace or the name of the runtime.
 */
export function usefulLine(lines: readonly string[]): string {
  const telling = lines.filter((line) => !noise.test(line))
  return (telling.findLast((line) => speaksOfTrouble.test(line)) ?? telling.at(-1) ?? '').trim()
}

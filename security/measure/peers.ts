/**
 * What two other agents run without a question: lists of programs whose command lines, joined by `|`, `&&`, `||` and `;`,
 * are let through. Written anew and simplified; both have more around them. Codex's is that of its sources
 * (codex-rs, `is_safe_command.rs`), Claude Code's that of its documentation (code.claude.com/docs/en/permissions, "Read-only
 * commands"), which calls it a selection and leaves open which forms of git it means: here those that only read.
 */
export interface Peer {
  name: string
  /** Whether it runs without a question. */
  allows(command: string): boolean
}

/** Words without shell syntax; `null` where there is more than quotes. */
function parts(command: string): string[][] | null {
  if (/[<>`\n]|\$\(|\$\{|\$[A-Za-z_]|[(){}]/.test(command.replace(/'[^']*'/g, 'q'))) return null
  const pieces = command.split(/\|\||&&|[|;]/)
  return pieces.map((piece) => piece.trim().match(/'[^']*'|"[^"]*"|\S+/g) ?? [])
}

const findRuns = /^-(?:exec|execdir|ok|okdir|delete|fls|fprint0?|fprintf)$/

const codexPrograms = new Set(
  `cat cd cut echo expr false grep head id ls nl numfmt paste pwd rev seq stat tac tail tr true uname uniq wc which
  whoami`.split(/\s+/),
)
/** The list of known safe commands of Codex, which its mode `untrusted` goes by. */
const codex: Peer = {
  name: "Codex's list",
  allows: (command) =>
    parts(command)?.every(([program = '', ...args]) => {
      if (codexPrograms.has(program)) return true
      if (program === 'find') return !args.some((word) => findRuns.test(word))
      if (program === 'base64') return !args.some((word) => /^-o|^--output/.test(word))
      if (program === 'rg') return !args.some((word) => /^--(?:pre|hostname-bin|search-zip)|^-z/.test(word))
      if (program === 'git') return /^(?:status|log|diff|show|branch)$/.test(args[0] ?? '')
      if (program === 'cargo') return args[0] === 'check'
      return program === 'sed' && args[0] === '-n' && /^'?\d+(?:,\d+)?p'?$/.test(args[1] ?? '') && args.length <= 3
    }) ?? false,
}

const claudePrograms = new Set('ls cat echo pwd head tail grep find wc which diff stat du cd'.split(' '))
/** The commands that Claude Code documents as read-only, in every mode. */
const claudeCode: Peer = {
  name: "Claude Code's list",
  allows: (command) =>
    parts(command)?.every(([program = '', ...args]) => {
      if (program === 'find') return !args.some((word) => findRuns.test(word))
      if (program === 'git')
        return (
          /^(?:status|log|diff|show|branch|blame|ls-files|rev-parse|describe|shortlog|grep|remote|tag|reflog|cat-file)$/.test(
            args[0] ?? '',
          ) && !args.some((word) => /^-(?:[dDmM]|f|-delete|-output)/.test(word))
        )
      return claudePrograms.has(program)
    }) ?? false,
}

export const peers: readonly Peer[] = [codex, claudeCode]

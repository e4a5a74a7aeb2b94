import { z } from 'zod'

/** Commands that run outside the sandbox, and how they get there. */
export interface HostCommands {
  /** The program and its arguments up to and including the host: `ssh -o BatchMode=yes me@host`. */
  ssh: readonly [string, ...string[]]
  /** The exact words that a command has to begin with. */
  prefixes: readonly (readonly string[])[]
}

const word = z.string().min(1).max(1000)
const section = z.object({
  active: z.literal(true),
  ssh: z.tuple([word], word),
  host_commands: z.array(z.array(word).min(1)).min(1),
})

/** The section `sandbox` of the settings file; `null` unless it is active and complete. */
export function readHostCommands(value: unknown): HostCommands | null {
  const read = section.safeParse(value)
  return read.success ? { ssh: read.data.ssh, prefixes: read.data.host_commands } : null
}

/** The argv that runs a command on the host, if it is a host command. */
export function routeToHost(command: string, host: HostCommands | null): [string, ...string[]] | null {
  const words = host && plainWords(command)
  if (!words || !host.prefixes.some((prefix) => prefix.every((each, at) => words[at] === each))) return null
  return [...host.ssh, '--', words.map(quote).join(' ')] as [string, ...string[]]
}

/** The words of a single command without any shell syntax; `null` for all others. */
function plainWords(command: string): string[] | null {
  const words: string[] = []
  let rest = command.trim()
  while (rest !== '') {
    const found = /^(?:[\w@%+=:,./-]|'[^']*'|"[^"$`\\!]*")+/.exec(rest)?.[0]
    if (!found) return null
    const after = rest.slice(found.length)
    if (after !== '' && !/^[ \t]/.test(after)) return null
    words.push(found.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double))
    rest = after.trimStart()
  }
  // `A=b make` sets a variable before it runs anything.
  return words.length === 0 || /^\w+=/.test(words[0] ?? '') ? null : words
}

const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

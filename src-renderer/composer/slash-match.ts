import type { SlashCommand } from '../../src-preload/contract/slash'

const most = 50

/** Commands for what was typed after the slash: those that begin with it first, then those that contain it. */
export function matchingCommands(commands: readonly SlashCommand[], word: string): SlashCommand[] {
  const wanted = word.toLowerCase()
  const rank = ({ name, description }: SlashCommand): number => {
    const lower = name.toLowerCase()
    if (lower.startsWith(wanted)) return 0
    // The name after the colon of `server:prompt` counts too.
    if (lower.includes(`:${wanted}`)) return 1
    if (lower.includes(wanted)) return 2
    return wanted.length > 2 && description.toLowerCase().includes(wanted) ? 3 : 4
  }
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((each) => each.rank < 4)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ command }) => command)
}

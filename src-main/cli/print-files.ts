import { version } from '../../package.json'
import { UsageError } from '../arguments'
import { commands } from './commands'
import { completionsFor, shells } from './completions'
import { manualPage } from './manual'

/** `deckhand completions SHELL`. */
export async function completions(_options: Map<string, string>, operands: string[]): Promise<number> {
  const [wanted, more] = operands
  const shell = shells.find((each) => each === wanted)
  if (!shell || more !== undefined) throw new UsageError(`completions: name one shell: ${shells.join(', ')}`)
  process.stdout.write(completionsFor(shell, commands))
  return 0
}

/** `deckhand manual`. */
export async function manual(): Promise<number> {
  process.stdout.write(manualPage(commands, version))
  return 0
}

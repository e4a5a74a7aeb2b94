import { randomUUID } from 'node:crypto'
import { isTooLong } from '../long-arguments'
import { NodeError } from '../node-error'
import { quote, type RemoteShell, runScript, wordsOf } from './remote-shell'

/**
 * Shell text for another machine, in a form that fits into one argument on the way there: what does not is put into a file there
 * that only its user can read, and that is gone as soon as the shell has read it.
 */
export async function staged(shell: RemoteShell, text: string): Promise<string> {
  // Quoted on its way, each of its quotes may become four characters.
  if (!isTooLong(quote(quote(text)))) return text
  const path = `/tmp/deckhand-${randomUUID()}.sh`
  const done = await runScript(shell, `umask 077; set -C; printf %s ${quote(text)} >${path}`)
  if (done.exitCode !== 0) throw new NodeError('failed', wordsOf(done) || `exit code ${done.exitCode}`)
  return `eval "$(cat ${path}; rm -f ${path})"`
}

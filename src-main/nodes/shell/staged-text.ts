import { randomUUID } from 'node:crypto'
import { isTooLong } from '../long-arguments'
import { NodeError } from '../node-error'
import { quote, type RemoteShell, runScript, wordsOf } from './remote-shell'

/**
 * Shell text for another machine in a form that fits into one argument: longer text is put into a file there that only
 * its user can read, and that is deleted as soon as the shell has read it.
 */
export async function staged(shell: RemoteShell, text: string): Promise<string> {
  // Quoting on the way may turn each quote into four characters.
  if (!isTooLong(quote(quote(text)))) return text
  const path = `/tmp/deckhand-${randomUUID()}.sh`
  const done = await runScript(shell, `umask 077; set -C; printf %s ${quote(text)} >${path}`)
  if (done.exitCode !== 0) throw new NodeError('failed', wordsOf(done) || `exit code ${done.exitCode}`)
  return `eval "$(cat ${path}; rm -f ${path})"`
}

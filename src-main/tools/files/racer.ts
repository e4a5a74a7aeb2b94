import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * A process that swaps a folder with a link to another place, again and again, by renaming both: what the agent's own
 * background commands could do while one of its file tools is running. For tests.
 */
const PROGRAM = `
use strict; my ($folder, $link) = @ARGV; $| = 1; print "ready\\n";
while (1) { rename $folder, "$folder.aside"; rename $link, $folder; rename $folder, $link; rename "$folder.aside", $folder; }
`

export interface Racer {
  stop(): Promise<void>
}

/** `folder` and `link` lie beside each other. */
export async function startRacer(folder: string, link: string): Promise<Racer> {
  const racer: ChildProcess = spawn('perl', ['-e', PROGRAM, folder, link], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (!racer.stdout) throw new Error('The racer has no output')
  await once(racer.stdout, 'data')
  return {
    async stop() {
      if (racer.exitCode !== null || racer.signalCode !== null) return
      const ended = once(racer, 'exit')
      racer.kill('SIGKILL')
      await ended
    },
  }
}

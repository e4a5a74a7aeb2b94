import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Another process that holds a database, as a backup program or a database browser would. */
export interface Holder {
  /** Lets go of it, and ends. */
  release(): Promise<void>
}

const program = `
  import { DatabaseSync } from 'node:sqlite'
  const sqlite = new DatabaseSync(process.argv[1])
  sqlite.exec('BEGIN EXCLUSIVE')
  process.stdout.write('locked')
  process.stdin.on('end', () => process.exit(0)).resume()`

export async function lockDatabase(path: string): Promise<Holder> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  })
  await once(child.stdout, 'data')
  return {
    release: async () => {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture } from '../scripts/run.mjs'
import { Refusal } from '../scripts/say.mjs'

/** Runs a program of the system to its end, and fails with what it printed. */
export async function tool(program, args, env = {}) {
  const { code, stdout, output } = await capture(program, args, { env: { ...process.env, ...env } })
  if (code !== 0) throw new Refusal(`${program} failed (exit code ${code}).\n${output.trim()}`)
  return stdout
}

/** A folder that is gone when the work in it has ended. */
export async function inTemporaryFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-package-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

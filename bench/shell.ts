import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { nvmLike, pyenvLike } from '../src-main/tools/shell/login/test-login-files'
import { type InstantModel, startInstantModel } from './instant-model'
import { atMost, median, milliseconds, type Row } from './row'

const rounds = 3
/** Enough for a snapshot of the login files to be taken; the last of them are measured. */
const calls = 300
const measured = 100
const root = resolve(import.meta.dirname, '..')

/** What a command costs whose login files set up nvm and pyenv, beside one without login files. */
export async function measure(tell: (line: string) => void): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-bench-'))
  const homes = { bare: join(folder, 'bare'), full: join(folder, 'full') }
  mkdirSync(homes.bare)
  install(homes.full)
  const model = await startInstantModel(calls, 'true')
  try {
    const seen = { bare: [] as number[], full: [] as number[] }
    const first: number[] = []
    for (let round = 0; round < rounds; round++) {
      seen.bare.push(median((await turns(model, folder, homes.bare)).slice(-measured)))
      const full = await turns(model, folder, homes.full)
      seen.full.push(median(full.slice(-measured)))
      first.push(full[1] ?? Number.NaN)
      tell(
        `shell, round ${round + 1}: bare ${milliseconds(seen.bare.at(-1) ?? 0)}, nvm and pyenv ${milliseconds(seen.full.at(-1) ?? 0)}, before the snapshot ${milliseconds(full[1] ?? 0)}`,
      )
    }
    const before = atMost('a command before the snapshot is taken', median(first), median(seen.bare), 2, milliseconds)
    return [
      atMost(
        'a command with login files of nvm and pyenv, beside a bare one',
        median(seen.full),
        median(seen.bare),
        2,
        milliseconds,
      ),
      // To look at: what every command cost without snapshots.
      { ...before, goal: '', met: true },
    ]
  } finally {
    model.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function install(home: string): void {
  const profile = `${nvmLike.profile}${pyenvLike.profile}`
  for (const [path, text] of Object.entries({ ...nvmLike.files, ...pyenvLike.files, '.bash_profile': profile })) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text, { mode: 0o755 })
  }
}

async function turns(model: InstantModel, folder: string, home: string): Promise<number[]> {
  model.reset()
  const { ELECTRON_RUN_AS_NODE: _, ...inherited } = process.env
  const data = mkdtempSync(join(folder, 'data-'))
  const options = ['--approve', 'all', '--max-iterations', `${calls * 2}`, '--data', data, '--provider', 'openai']
  const args = ['run', ...options, '--base-url', `${model.address}/v1`, '--model', 'instant', 'go']
  const child = spawn(process.execPath, [join(root, 'out/main/cli.js'), ...args], {
    cwd: folder,
    env: { ...inherited, HOME: home, SHELL: '/bin/bash', ELECTRON_RUN_AS_NODE: '1', DECKHAND_API_KEY: 'x' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const code = await new Promise((done, fail) => child.on('error', fail).on('exit', done))
  if (code !== 0 || model.gaps().length < calls) throw new Error(`deckhand ended with code ${code}\n${said}`)
  return model.gaps()
}

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../bench/row'
import { calls, type ScriptedModel, says, scriptedModel } from '../e2e/scripted-model'
import { lockDatabase } from '../src-main/storage/test-lock'
import type { SoakOptions } from './part'

const usualSeconds = 60
const root = resolve(import.meta.dirname, '..')

/** A turn of the command line while another program keeps the database locked: at the start, and in the middle. */
export async function measure(tell: (line: string) => void, { minutes }: SoakOptions): Promise<Row[]> {
  const seconds = minutes === null ? usualSeconds : minutes * 60
  const rows: Row[] = []
  for (const when of ['at the start', 'in a turn'] as const) {
    const problems = await play(when, seconds)
    tell(`locked ${when}: ${problems.join('; ') || 'right'}`)
    rows.push({
      what: `database locked for ${seconds} s ${when}: what went wrong`,
      ours: `${problems.length}`,
      beside: '',
      ratio: '',
      goal: '0',
      met: problems.length === 0,
    })
  }
  return rows
}

async function play(when: 'at the start' | 'in a turn', seconds: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-locked-'))
  const [data, work, go] = [join(folder, 'data'), join(folder, 'work'), join(folder, 'go')]
  for (const each of [data, work]) mkdirSync(each)
  const model = await scriptedModel()
  try {
    // The first run creates the database.
    model.push(says('Ready.'))
    await run(model, data, work).ended
    model.push(calls('Bash', { command: `touch begun; until [ -e ${go} ]; do sleep 0.1; done; echo x >> count` }))
    model.push(says('It worked.'))
    const early = when === 'at the start' ? await lockDatabase(join(data, 'deckhand.db')) : null
    const second = run(model, data, work)
    if (!early) await until(() => existsSync(join(work, 'begun')))
    const holder = early ?? (await lockDatabase(join(data, 'deckhand.db')))
    writeFileSync(go, '')
    await sleep(seconds * 1000)
    const before = second.said()
    await holder.release()
    const { code, text } = await second.ended
    const counted = existsSync(join(work, 'count'))
    return [
      ...(before.includes('another program has locked') ? [] : ['nothing was said about the wait']),
      ...(code === 0 ? [] : [`it ended with code ${code}`]),
      ...(text.includes('It worked.') ? [] : ['the answer is missing']),
      ...(counted ? [] : ['the command did not run']),
    ]
  } finally {
    await model.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function until(check: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !check(); await sleep(50))
    if (Date.now() > end) throw new Error('The command did not begin within a minute.')
}

function run(model: ScriptedModel, data: string, work: string) {
  const args = ['run', '--approve', 'all', '--data', data, '--provider', 'openai', '--base-url', model.baseUrl]
  const child = spawn(process.execPath, [join(root, 'out/main/cli.js'), ...args, '--model', 'm', 'Go'], {
    cwd: work,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', DECKHAND_API_KEY: 'x' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  const ended = new Promise<{ code: number | null; text: string }>((done) =>
    child.on('close', (code) => done({ code, text })),
  )
  return { said: () => text, ended }
}

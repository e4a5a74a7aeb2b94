import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type InstantModel, startInstantModel } from './instant-model'
import { type Agent, findPeers } from './peers'
import { atMost, kilobytes, median, milliseconds, type Row } from './row'

const rounds = 5
const calls = 50
const root = resolve(import.meta.dirname, '..')

/** What one turn of the loop costs beside what others take for the same: a call of `true` that the model asks for. */
export async function measure(tell: (line: string) => void): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-bench-'))
  const home = join(folder, 'home')
  const work = join(folder, 'work')
  for (const each of [home, work]) mkdirSync(each)
  const model = await startInstantModel(calls, 'true')
  try {
    const agents = [deckhand(model.address, join(folder, 'data')), ...(await findPeers(model.address, home, tell))]
    const turns = new Map<string, number[]>(agents.map(({ name }) => [name, []]))
    const bytes = new Map<string, number>()
    for (let round = 0; round < rounds; round++) {
      for (const agent of agents) {
        const seen = await runOnce(agent, model, { home, work })
        turns.get(agent.name)?.push(median(seen.gaps))
        bytes.set(agent.name, seen.firstBytes)
      }
      tell(`loop, round ${round + 1}: ${agents.map(({ name }) => `${name} ${last(turns.get(name))}`).join(', ')}`)
    }
    const turn = (name: string) => median(turns.get(name) ?? [])
    const first = (name: string) => bytes.get(name) ?? Number.NaN
    return agents.slice(1).flatMap(({ name }) => {
      const cost = atMost(`one turn of the loop, beside ${name}`, turn('deckhand'), turn(name), 1, milliseconds)
      // Only goose's is a goal; the others are there to look at.
      const shown = name === 'goose' ? cost : { ...cost, goal: '', met: true }
      const weight = atMost(`first request with tools, beside ${name}`, first('deckhand'), first(name), 1, kilobytes)
      return name === 'goose' ? [shown, weight] : [shown]
    })
  } finally {
    model.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const last = (values: number[] | undefined): string => milliseconds(values?.at(-1) ?? Number.NaN)

function deckhand(address: string, data: string): Agent {
  const args = ['--approve', 'all', '--max-iterations', `${calls * 2}`, '--data', data, '--provider', 'openai']
  return {
    name: 'deckhand',
    command: process.execPath,
    args: [join(root, 'out/main/cli.js'), 'run', ...args, '--base-url', `${address}/v1`, '--model', 'instant', 'go'],
    env: { ELECTRON_RUN_AS_NODE: '1', DECKHAND_API_KEY: 'x' },
  }
}

/** The same home, shell and folder for everybody. */
async function runOnce(
  agent: Agent,
  model: InstantModel,
  place: { home: string; work: string },
): Promise<{ gaps: number[]; firstBytes: number }> {
  model.reset()
  const { ELECTRON_RUN_AS_NODE: _, ...inherited } = process.env
  const child = spawn(agent.command, agent.args, {
    cwd: place.work,
    env: { ...inherited, HOME: place.home, SHELL: '/bin/bash', ...agent.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const code = await new Promise((done, fail) => child.on('error', fail).on('exit', done))
  if (code !== 0 || model.gaps().length < calls) throw new Error(`${agent.name} ended with code ${code}\n${said}`)
  return { gaps: model.gaps(), firstBytes: model.firstBytes() }
}

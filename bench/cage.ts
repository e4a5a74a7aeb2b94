import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openInProcessHost } from '../src-main/nodes/host-link'
import { createLocalNode } from '../src-main/nodes/local'
import { createProcessTable } from '../src-main/nodes/process-table'
import { createSandbox, type PlacedStart } from '../src-main/sandbox/sandbox'
import { createSessionCages } from '../src-main/sandbox/session-cages'
import { atMost, median, milliseconds, type Row } from './row'

const rounds = 300
const warmUp = 40

/** What a command costs in the session's cage, with the look whether that still holds, beside one outside it. */
export async function measure(tell: (line: string) => void): Promise<Row[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-bench-')))
  const workspace = join(folder, 'work')
  for (const name of ['src/a', 'src/b', 'docs', 'test']) mkdirSync(join(workspace, name), { recursive: true })
  writeFileSync(join(workspace, '.env'), 'SECRET=1\n')
  const node = createLocalNode({ openHost: openInProcessHost })
  const table = createProcessTable({
    nodes: [node],
    logDir: join(folder, 'logs'),
    save() {},
    load: () => [],
    publish() {},
  })
  const sandbox = createSandbox({ home: homedir(), own: [], hosts: () => [] })
  const status = await sandbox.status()
  if (!status.available) {
    tell(`cage: left out. ${status.note}`)
    return []
  }
  const cages = createSessionCages({ sandbox, node, home: homedir(), own: [], needed: [], onProblem: tell })
  const start = { argv: ['/bin/bash', '-c', 'true'] as const, cwd: workspace, tty: true }
  const run = async (caged: boolean): Promise<number> => {
    const before = performance.now()
    const cage = caged ? await cages.enter({ id: 's', workspace }, 'read', { readable: [], writable: [] }) : null
    if (caged && !cage) throw new Error('There is no cage')
    const { env = {}, ...placed }: PlacedStart = cage ? await cage.place(start) : { argv: start.argv }
    const { id } = await table.start({
      ...{ sessionId: 's', callId: null, command: 'true', background: false, byUser: false, cwd: workspace },
      ...placed,
      tty: { cols: 80, rows: 24 },
      env: { ...env },
    })
    await table.wait(id)
    return performance.now() - before
  }
  try {
    const seen = { inside: [] as number[], outside: [] as number[] }
    for (let round = 0; round < rounds + warmUp; round++) {
      const [outside, inside] = [await run(false), await run(true)]
      if (round < warmUp) continue
      seen.outside.push(outside)
      seen.inside.push(inside)
    }
    tell(`cage: ${rounds} commands in it and outside, in turns`)
    return [
      atMost('a command in the cage, beside one outside', median(seen.inside), median(seen.outside), 1.1, milliseconds),
    ]
  } finally {
    cages.close()
    await table.close()
    await node.close()
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

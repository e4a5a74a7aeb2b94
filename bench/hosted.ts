import { spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk'
import { openHostedBench, scriptedAgent } from '../src-main/compose/hosted-bench'
import { median, milliseconds, type Row } from './row'

/**
 * What our hosting adds to a turn of an agent: the same agent, which answers at once, driven by the SDK's own client and by
 * the whole engine, turn by turn in alternation.
 */

const turns = 60
const warmUp = 10
const most = 5

export async function measure(tell: (line: string) => void): Promise<Row[]> {
  tell('hosted: a turn of a hosted agent beside the same turn by the SDK alone')
  const direct = await openDirect()
  const bench = await openHostedBench()
  try {
    const run = await bench.start()
    const session = run.session('safe')
    const times = { ours: [] as number[], direct: [] as number[] }
    for (let n = 0; n < turns + warmUp; n++) {
      const first = await timed(() => direct.turn(`hello ${n}`))
      const second = await timed(async () => {
        const { reason, text } = await run.turn(session, `hello ${n}`)
        if (reason !== 'done' || text !== `I heard: hello ${n}`) throw new Error(`The turn ended ${reason}: ${text}`)
      })
      if (n < warmUp) continue
      times.direct.push(first)
      times.ours.push(second)
    }
    const [ours, alone] = [median(times.ours), median(times.direct)]
    const added = ours - alone
    return [
      {
        what: 'hosted turn, beside the SDK alone',
        ours: milliseconds(ours),
        beside: milliseconds(alone),
        ratio: `+${added.toFixed(1)} ms`,
        goal: `≤ +${most} ms`,
        met: added <= most,
      },
    ]
  } finally {
    direct.close()
    await bench.close()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

async function openDirect() {
  const { command, args, env } = scriptedAgent()
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] })
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>,
  )
  const { agent } = client({ name: 'bench' })
    .onNotification(methods.client.session.update, () => {})
    .connect(stream)
  await agent.request(methods.agent.initialize, { protocolVersion: 1 })
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: process.cwd(), mcpServers: [] })
  return {
    turn: (text: string) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    close: () => child.kill(),
  }
}

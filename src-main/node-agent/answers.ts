import { z } from 'zod'
import type { Link } from './link'
import type { NodeLog } from './node-log'
import { probeBins } from './probe'

/** The id of a call, a probe or a process in an event of the gateway. */
export const eventId = z.string().max(100)

const logRequest = z.object({ callId: eventId, lines: z.number().min(1) })

export function sendLog(payload: unknown, log: NodeLog, link: Link): void {
  const { callId, lines } = logRequest.parse(payload)
  log.tail(lines).then(
    (found) => link.tell('logs.result', { callId, ...found }),
    (error: unknown) => link.tell('logs.result', { callId, error: String(error) }),
  )
}

const probeRequest = z.object({
  probeId: eventId,
  kind: z.string(),
  bins: z.array(z.string()).default([]),
  timeoutMs: z.number().default(15_000),
})

export function sendProbe(payload: unknown, link: Link): void {
  const { probeId, kind, bins, timeoutMs } = probeRequest.parse(payload)
  const tell = (result: object): void => link.tell('node.probe.result', { probeId, ...result })
  if (kind === 'bins') void probeBins(bins, timeoutMs).then((found) => tell({ ok: true, bins: found }))
  else tell({ ok: false, error: `Unsupported probe: ${kind}` })
}

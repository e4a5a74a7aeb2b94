import type { Cast, CastEvent, Replay, ReplayPart } from '../../src-preload/contract/replay'

/** How much of the text beside a cut is looked at: longer than a secret. */
const around = 300

/** Takes secrets out of all that a replay says and shows. */
export function cleanReplay(replay: Replay, clean: (text: string) => string): Replay {
  const cleanPart = (part: ReplayPart): ReplayPart => {
    if (part.type === 'call') return { ...part, call: { ...part.call, gist: clean(part.call.gist) } }
    return part.type === 'image' ? { ...part, name: clean(part.name) } : { ...part, text: clean(part.text) }
  }
  return {
    ...replay,
    title: clean(replay.title),
    messages: replay.messages.map((message) => ({ ...message, parts: message.parts.map(cleanPart) })),
    terminals: replay.terminals.map((terminal) => ({
      ...terminal,
      command: clean(terminal.command),
      ...(terminal.cast && { cast: cleanCast(terminal.cast, clean) }),
    })),
  }
}

/** A secret may come in two pieces, which are then shown as one. */
function cleanCast(cast: Cast, clean: (text: string) => string): Cast {
  const events: CastEvent[] = []
  let open: Extract<CastEvent, [number, 'output', string]> | null = null
  for (const event of cast.events) {
    if (event[1] === 'output' && open && isCut(open[2], event[2], clean)) {
      open[2] += event[2]
      continue
    }
    const copy: CastEvent = event[1] === 'typed' ? [event[0], 'typed', event[2], clean(event[3])] : [...event]
    events.push(copy)
    if (copy[1] === 'output') open = copy
  }
  for (const event of events) if (event[1] === 'output') event[2] = clean(event[2])
  return { ...cast, events }
}

/** Whether something is found in two texts together that is in neither. */
function isCut(before: string, after: string, clean: (text: string) => string): boolean {
  const left = before.slice(-around)
  const right = after.slice(0, around)
  return clean(left + right) !== clean(left) + clean(right)
}

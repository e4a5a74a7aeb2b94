import type { LocalNode, ProcessFeed } from '../nodes/local'
import type { ProcessEvent } from '../nodes/node'
import type { ProcessTable } from '../nodes/process-table'
import type { Hub, NodeLink } from './hub'
import { firstStreamId, type ProcessOpen, streamWindow } from './wire'

/** Most output that may wait to be logged; a node that respects the window never reaches this. */
const maxBacklog = streamWindow * 2

interface Stream {
  id: string
  link: NodeLink
  streamId: number
  received: number
  written: number
  emit: (event: ProcessEvent) => void
}

/** A process of another machine whose output is written to a log here. */
export interface RemoteStream extends Stream {
  feed: ProcessFeed
}

/** The output of processes of other machines, from the frames of their nodes into a log here, in order. */
interface RemoteStreams {
  /** Opens the log, or reuses the open one, and gives the stream a number on this connection. */
  open(link: NodeLink, open: ProcessOpen, logged: () => number): Promise<RemoteStream>
  /** The stream of a process, if it belongs to this node. */
  own(link: NodeLink, id: string): RemoteStream | undefined
  /** Marks a process as lost: its exit code is unknown, its output is kept. */
  lose(id: string): void
}

export function createRemoteStreams({
  hub,
  table,
  localNode,
}: {
  hub: Hub
  table: ProcessTable
  localNode: LocalNode
}): RemoteStreams {
  const streams = new Map<string, RemoteStream>()
  const numbers = new Map<number, RemoteStream>()
  let lastNumber = firstStreamId

  const nextNumber = (): number => {
    lastNumber = lastNumber >= 0xffff_ffff ? firstStreamId : lastNumber + 1
    return lastNumber
  }

  const forget = (stream: Stream): void => {
    streams.delete(stream.id)
    numbers.delete(stream.streamId)
  }

  const noteEvent = (stream: Stream, event: ProcessEvent) => {
    if (event.type === 'lost') {
      // The terminal host of this machine is gone, not the process: the node announces it again when it reconnects.
      forget(stream)
      table.detach(stream.id)
      return hub.drop(stream.link.id, 'The terminals of the gateway were restarted')
    }
    if (event.type === 'output') {
      stream.written = event.bytes
      stream.link.peer.event('process.ack', { streamId: stream.streamId, offset: event.bytes })
    }
    if (event.type === 'exit') forget(stream)
    stream.emit(event)
  }

  const openFeed = async (link: NodeLink, { id, size }: ProcessOpen, offset: number): Promise<RemoteStream> => {
    const stream: Stream = { id, link, streamId: 0, received: offset, written: offset, emit: () => {} }
    const feed = await localNode.openFeed(
      { id, logPath: table.logPath(id), ...size, offset },
      {
        event: (event) => noteEvent(stream, event),
        input: (data) => stream.link.peer.event('process.input', { id, data }),
        resize: (cols, rows) => stream.link.peer.event('process.resize', { id, cols, rows }),
      },
    )
    const whole = Object.assign(stream, { feed })
    streams.set(id, whole)
    return whole
  }

  hub.binary(firstStreamId, (link, number, chunk) => {
    const stream = numbers.get(number)
    if (!stream || stream.link.peer !== link.peer) return
    stream.received += chunk.length
    if (stream.received - stream.written > maxBacklog) return hub.drop(link.id, 'It sends faster than was agreed')
    stream.feed.push(chunk)
  })
  hub.onLost((link) => {
    for (const stream of streams.values()) if (stream.link.peer === link.peer) table.detach(stream.id)
  })

  return {
    open: async (link, open, logged) => {
      const stream = streams.get(open.id) ?? (await openFeed(link, open, logged()))
      numbers.delete(stream.streamId)
      stream.link = link
      stream.streamId = nextNumber()
      numbers.set(stream.streamId, stream)
      return stream
    },
    own: (link, id) => {
      const stream = streams.get(id)
      return stream?.link.peer === link.peer ? stream : undefined
    },
    lose: (id) => {
      const stream = streams.get(id)
      if (stream) stream.emit = () => {}
      stream?.feed.end({ exitCode: null, signal: null })
      table.lose(id)
    },
  }
}

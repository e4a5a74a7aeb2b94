import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { LeftPort, LeftProcess } from '../../src-preload/contract/receipts'
import { markedSince } from '../nodes/survivors'
import { groupOfProcess } from '../process-alive'

interface Left {
  processes: LeftProcess[]
  ports: LeftPort[]
}

const longestCommand = 200

/**
 * What still runs of these processes and their descendants, even outside their process groups, and the ports that they
 * listen on. On systems other than Linux, only processes in the table are found, and no ports. Processes started after
 * `since` (by `performance.now()`) may be missed: concurrent callers share one look.
 */
export function leftRunning(processes: readonly ProcessInfo[], since = performance.now()): Left {
  const known = processes
    .filter(({ status }) => status === 'running' || status === 'survived')
    .map(({ pid, command }) => ({ pid, command: command.slice(0, longestCommand) }))
  const marked = markedSince(new Set(processes.map(({ id }) => id)), since).map(({ pid }) => pid)
  // What a running command started in its own group counts as part of it; what left the group is listed separately.
  const away = marked.filter((pid) => !known.some((each) => each.pid === pid || each.pid === groupOfProcess(pid)))
  const pids = [...new Set([...known.map(({ pid }) => pid), ...marked])]
  return {
    processes: [...known, ...away.map((pid) => ({ pid, command: commandOf(pid) }))],
    ports: pids.length > 0 ? portsOf(pids) : [],
  }
}

function commandOf(pid: number): string {
  return (textOf(`/proc/${pid}/cmdline`) || textOf(`/proc/${pid}/comm`))
    .replaceAll('\0', ' ')
    .trim()
    .slice(0, longestCommand)
}

function portsOf(pids: readonly number[]): LeftPort[] {
  const sockets = new Set(pids.flatMap(socketsOf))
  if (sockets.size === 0) return []
  const [anyone] = pids
  const ports = new Map<number, LeftPort>()
  // Read through one of the processes, since it may have its own network namespace.
  for (const table of ['tcp', 'tcp6']) {
    for (const { port, loopback, inode } of listening(textOf(`/proc/${anyone}/net/${table}`))) {
      if (!sockets.has(inode)) continue
      ports.set(port, { port, open: !loopback || ports.get(port)?.open === true })
    }
  }
  return [...ports.values()].sort((a, b) => a.port - b.port)
}

function socketsOf(pid: number): string[] {
  let names: string[]
  try {
    names = readdirSync(`/proc/${pid}/fd`)
  } catch {
    return [] // It ended meanwhile.
  }
  return names.flatMap((name) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1] ?? []
    } catch {
      return [] // Closed meanwhile.
    }
  })
}

const listenState = '0A'

/** Rows of /proc/net/tcp: `0: 0100007F:1F90 00000000:0000 0A … inode`. */
function* listening(table: string): Generator<{ port: number; loopback: boolean; inode: string }> {
  for (const line of table.split('\n').slice(1)) {
    const fields = line.trim().split(/\s+/)
    const [address = '', port = ''] = (fields[1] ?? '').split(':')
    if (fields[3] !== listenState) continue
    // 127.x.x.x, ::1 and ::ffff:127.x.x.x, in groups of four bytes in reverse order.
    const loopback = /7F$/i.test(address) && (address.length === 8 || /^0{16}FFFF0000/i.test(address))
    const loopback6 = /^0{24}01000000$/.test(address)
    yield { port: Number.parseInt(port, 16), loopback: loopback || loopback6, inode: fields[9] ?? '' }
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // It ended meanwhile.
  }
}

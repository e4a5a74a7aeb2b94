import { readdirSync, readFileSync } from 'node:fs'

/** What is left of the processes that this one and its fork server have started. */
export interface OwnProcesses {
  forkServers: number[]
  /** Ended, and collected by nobody. */
  zombies: number
  /** Of this process and its fork servers together. */
  descriptors: number
}

const serverName = 'deckhand-start'

export function lookAtOwnProcesses(): OwnProcesses {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statusOf(Number(name)) ?? [])
  const servers = all.filter(({ parent, name }) => parent === process.pid && name === serverName)
  const parents = new Set([process.pid, ...servers.map(({ pid }) => pid)])
  return {
    forkServers: servers.map(({ pid }) => pid),
    zombies: all.filter(({ parent, state }) => parents.has(parent) && state === 'Z').length,
    descriptors: [...parents].reduce((sum, pid) => sum + descriptorsOf(pid), 0),
  }
}

const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

function statusOf(pid: number): { pid: number; parent: number; name: string; state: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'latin1')
    const field = (name: string): string => new RegExp(`^${name}:\\s*(\\S*)`, 'm').exec(text)?.[1] ?? ''
    return { pid, parent: Number(field('PPid')), name: field('Name'), state: field('State') }
  } catch {
    return null // It has just ended.
  }
}

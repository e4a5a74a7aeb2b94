import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import type { AgentOnMachine } from '../../src-preload/contract/hosted'
import { splitCommand } from './command-line'
import { knownAgents } from './known-agents'

/** How to start an agent. */
export interface AgentLaunch {
  id: string
  name: string
  argv: readonly [string, ...string[]]
  env: Readonly<Record<string, string>>
}

/** Agents that the user added, in the form that other programs use for the same: name → command, args, env. */
const addedSchema = z.record(
  z.string().min(1).max(100),
  z.object({
    command: z.string().min(1).max(4096),
    args: z.array(z.string().max(10_000)).max(100).default([]),
    env: z.record(z.string(), z.string()).default({}),
    name: z.string().max(100).optional(),
  }),
)

export interface Surroundings {
  path: string
  home: string
  /** The section `agent_servers` of the settings. */
  added?: unknown
}

interface AgentsFound {
  list: AgentOnMachine[]
  launch: ReadonlyMap<string, AgentLaunch>
}

/** Looks for known agents on PATH and in the usual folders, and adds those of the settings. */
export function findAgents({ path, home, added }: Surroundings): AgentsFound {
  const onPath = path.split(delimiter).filter(isAbsolute)
  const usual = usualFolders(home).filter((folder) => !onPath.includes(folder))
  const launch = new Map<string, AgentLaunch>()
  const list: AgentOnMachine[] = []
  const own = addedSchema.safeParse(added ?? {})
  for (const [id, { command, args, env, name }] of Object.entries(own.success ? own.data : {})) {
    const program = isAbsolute(command) ? command : (firstOf([command], [...onPath, ...usual]) ?? command)
    const argv: [string, ...string[]] = [program, ...args]
    launch.set(id, { id, name: name ?? id, argv, env })
    list.push({ id, name: name ?? id, command: argv, source: 'settings' })
  }
  for (const { id, name, programs, args, env = {}, npm } of knownAgents) {
    if (launch.has(id)) continue
    const byPath = firstOf(programs, onPath)
    const program = byPath ?? firstOf(programs, usual)
    const install = npm && `npm install -g ${npm}`
    if (program === null) {
      list.push({ id, name, command: null, source: null, ...(install && { install }) })
      continue
    }
    const argv: [string, ...string[]] = [program, ...args]
    launch.set(id, { id, name, argv, env })
    list.push({ id, name, command: argv, source: byPath ? 'path' : 'folder' })
  }
  list.sort((a, b) => Number(a.command === null) - Number(b.command === null))
  return { list, launch }
}

/** An agent that is named by its whole command line. */
export function launchOf(line: string, { path, home }: Surroundings): AgentLaunch | null {
  const [command, ...args] = splitCommand(line) ?? []
  if (!command) return null
  const folders = [...path.split(delimiter).filter(isAbsolute), ...usualFolders(home)]
  const program = command.includes('/') ? command : firstOf([command], folders)
  return program === null
    ? null
    : { id: line, name: command.split('/').at(-1) ?? command, argv: [program, ...args], env: {} }
}

/** A program that was started from the desktop has a short PATH; installers put programs here all the same. */
function usualFolders(home: string): string[] {
  const below = (parent: string, rest: string): string[] => {
    try {
      return readdirSync(parent).map((name) => join(parent, name, rest))
    } catch {
      return [] // It is not installed.
    }
  }
  return [
    join(home, '.local/bin'),
    join(home, 'bin'),
    join(home, '.npm-global/bin'),
    join(home, '.npm/bin'),
    join(home, '.local/share/pnpm'),
    join(home, '.bun/bin'),
    join(home, '.deno/bin'),
    join(home, '.cargo/bin'),
    join(home, '.volta/bin'),
    join(home, '.opencode/bin'),
    ...below(join(home, '.nvm/versions/node'), 'bin').reverse(),
    ...below(join(home, '.local/share/fnm/node-versions'), 'installation/bin').reverse(),
    '/opt/homebrew/bin',
    '/usr/local/bin',
    '/home/linuxbrew/.linuxbrew/bin',
    '/usr/bin',
  ]
}

function firstOf(programs: readonly string[], folders: readonly string[]): string | null {
  for (const program of programs)
    for (const folder of folders) {
      const file = join(folder, program)
      if (isProgram(file)) return file
    }
  return null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false // Nothing is there, or nothing that can be started.
  }
}

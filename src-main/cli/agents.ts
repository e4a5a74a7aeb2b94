import { homedir } from 'node:os'
import type { AgentOnMachine } from '../../src-preload/contract/hosted'
import { shellLine } from '../hosts/command-line'
import { findAgents } from '../hosts/find-agents'
import { openSettings } from '../settings/settings'
import { dataDirOf } from './data-dir'

/** Lists the agents that were found. Starts none of them. */
export async function agents(options: Map<string, string>): Promise<number> {
  const { list } = findAgents({
    path: process.env.PATH ?? '',
    home: homedir(),
    added: openSettings(dataDirOf(options)).section('agent_servers'),
  })
  const shown = options.has('all') ? list : list.filter(({ command }) => command !== null)
  if (options.has('json')) process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`)
  else if (shown.length > 0) process.stdout.write(`${shown.map(lineOf).join('\n')}\n`)
  else process.stdout.write('No agents were found. deckhand agents --all lists those that are known.\n')
  return 0
}

const sources = { path: 'on PATH', folder: 'in a usual folder', settings: 'from the settings' }

function lineOf({ id, name, command, source, install }: AgentOnMachine): string {
  const head = `${id.padEnd(14)} ${name.padEnd(16)}`
  if (command && source) return `${head} ${shellLine(command)}  (${sources[source]})`
  return `${head} not found${install ? `; ${install}` : ''}`
}

import { join } from 'node:path'
import { version } from '../../package.json'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import { createBackendRows } from '../backends/backend-rows'
import { type Backends, createBackends } from '../backends/backends'
import type { EngineOptions } from '../engine'
import { createMachines, type Machines } from '../gateway/machines'
import { idTrouble } from '../gateway/node-ids'
import { capabilityIds } from '../gateway/runtime'
import { commandEnv } from '../nodes/command-env'
import { createLocalNode, type LocalNode } from '../nodes/local'
import { createProcessTable, type ProcessTable } from '../nodes/process-table'
import { leftRunning } from '../receipts/left-running'
import type { ToolPrefixes } from '../tool-prefixes'
import { placeToolNames } from '../tools/place-tools'
import { createWatches, type Watches } from '../watches/watches'
import type { Storage } from './storage'

export interface Places {
  localNode: LocalNode
  table: ProcessTable
  watches: Watches
  /** Places that programs of this machine lead to. */
  backends: Backends
  /** This machine and those that have a node of their own. */
  machines: Machines
}

interface PlacesOptions extends Pick<EngineOptions, 'dataDir' | 'openHost' | 'gatewayToken'> {
  storage: Storage
  prefixes: ToolPrefixes
  publish(event: DeckhandEvent): void
}

/** Joins every place where commands run, and the one table of what runs there. */
export function composePlaces(options: PlacesOptions): Places {
  const { dataDir, storage, prefixes, publish } = options
  const takenIds = (): string[] => prefixes.takenByOthers('nodes')
  const { log, database, store, settings } = storage
  const localNode = createLocalNode({
    openHost: options.openHost,
    onHostLost: (count) => {
      log.error('The terminal host ended unexpectedly', { processes: count })
      const lost = count === 1 ? 'One process was lost' : `${count} processes were lost`
      publish({ type: 'note', text: `The terminals stopped unexpectedly. ${lost}; new ones will work.` })
    },
  })
  const table = createProcessTable({
    nodes: [localNode],
    otherNode: (id) => backends.get(id)?.node,
    logDir: join(dataDir, 'processes'),
    save: store.processes.save,
    load: store.processes.load,
    forget: store.processes.forget,
    publish,
  })
  const watches = createWatches({
    table,
    portsOf: (process) => (process.node === localNode.id ? leftRunning([process]).ports.map(({ port }) => port) : null),
    log,
  })
  const { TMUX, TMUX_PANE } = process.env
  const backends: Backends = createBackends({
    rows: createBackendRows(database),
    log,
    table,
    localNode,
    // A pane that the app was started in can be worked in.
    env: commandEnv(process.env, TMUX && TMUX_PANE ? { TMUX, TMUX_PANE } : {}),
    version,
    tools: placeToolNames,
    capabilities: capabilityIds,
    idTrouble: (id) => idTrouble(id, [...machines.registry.list().map((node) => node.id), ...takenIds()]),
    announceQuestions: (questions) => publish({ type: 'backend-questions', questions }),
    primary: () => settings().primaryNode,
  })
  const machines: Machines = createMachines({
    backends,
    database,
    log,
    version,
    dataDir,
    settings,
    updateSettings: storage.settingsFile.update,
    table,
    localNode,
    publish,
    hasSession: (sessionId) => store.sessions.find(sessionId) !== null,
    takenIds,
    ...(options.gatewayToken !== undefined && { sharedToken: options.gatewayToken }),
  })
  prefixes.add('nodes', () => machines.registry.list().map(({ id }) => id))
  storage.settingsFile.onChange((_, changed) => machines.settingsChanged(changed))
  return { localNode, table, watches, backends, machines }
}

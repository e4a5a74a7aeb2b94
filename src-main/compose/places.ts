import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { version } from '../../package.json'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { EngineOptions } from '../engine'
import { idTrouble } from '../gateway/node-ids'
import { createNodes, type Nodes } from '../gateway/nodes'
import { capabilityIds } from '../gateway/runtime'
import { commandEnv } from '../nodes/command-env'
import { createLocalNode, type LocalNode } from '../nodes/local'
import { createProcessTable, type ProcessTable } from '../nodes/process-table'
import { createShellNodeRows } from '../nodes/shell/shell-node-rows'
import { createShellNodes, type ShellNodes } from '../nodes/shell/shell-nodes'
import { leftRunning } from '../receipts/left-running'
import type { ToolPrefixes } from '../tool-prefixes'
import { nodeToolNames } from '../tools/nodes/node-tools'
import { createLoginShell, type LoginShell } from '../tools/shell/login/login-shell'
import { createWatches, type Watches } from '../watches/watches'
import { createWorktreeRows, portsIn, type WorktreeRows } from '../worktrees/worktree-rows'
import type { Storage } from './storage'

export interface Places {
  localNode: LocalNode
  table: ProcessTable
  worktreeRows: WorktreeRows
  loginShell: LoginShell
  watches: Watches
  /** Places that programs of this machine lead to. */
  shellNodes: ShellNodes
  /** This machine and those that have a node of their own. */
  nodes: Nodes
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
  const worktreeRows = createWorktreeRows(database)
  const table = createProcessTable({
    nodes: [localNode],
    environment: (cwd) => portsIn(worktreeRows.list(), cwd),
    otherNode: (id) => shellNodes.get(id),
    logDir: join(dataDir, 'processes'),
    save: store.processes.save,
    unsaved: store.unsaved,
    load: store.processes.load,
    forget: store.processes.forget,
    onLeft: (left) => {
      const pids = left.map(({ pid }) => pid)
      log.warn('Processes could not be ended', { pids })
      const which = pids.length === 1 ? `Process ${pids[0]}` : `${pids.length} processes (${pids.join(', ')})`
      publish({
        type: 'note',
        text: `${which} could not be ended and ${pids.length === 1 ? 'is' : 'are'} left running.`,
      })
    },
    publish,
  })
  const loginShell = createLoginShell({
    node: localNode,
    folder: join(dataDir, 'login-shell'),
    onProblem: (problem) => log.info('Every command reads the login files of the shell', { problem }),
  })
  const watches = createWatches({
    table,
    portsOf: (process) =>
      process.node === localNode.id
        ? leftRunning([process], performance.now() - 200).ports.map(({ port }) => port)
        : null,
    log,
  })
  const { TMUX, TMUX_PANE } = process.env
  const shellNodes: ShellNodes = createShellNodes({
    rows: createShellNodeRows(database),
    log,
    table,
    localNode,
    owner: ownerOf(dataDir),
    // A pane that the app was started in can be worked in.
    env: commandEnv(process.env, TMUX && TMUX_PANE ? { TMUX, TMUX_PANE } : {}),
    version,
    tools: nodeToolNames,
    capabilities: capabilityIds,
    idTrouble: (id) => idTrouble(id, [...nodes.registry.list().map((node) => node.id), ...takenIds()]),
    announceQuestions: (questions) => publish({ type: 'backend-questions', questions }),
    primary: () => settings().primaryNode,
  })
  const nodes: Nodes = createNodes({
    shellNodes,
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
    sharedToken: options.gatewayToken,
  })
  prefixes.add('nodes', () => nodes.registry.list().map(({ id }) => id))
  storage.settingsFile.onChange((_, changed) => nodes.settingsChanged(changed))
  return { localNode, table, worktreeRows, loginShell, watches, shellNodes, nodes }
}

/** The same at every start of this installation, and another for every other one. */
const ownerOf = (dataDir: string): string =>
  createHash('sha256').update(`${hostname()}\n${dataDir}`).digest('hex').slice(0, 12)

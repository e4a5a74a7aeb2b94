import { version } from '../../package.json'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { Settings } from '../../src-preload/contract/settings'
import { createBackendRows } from '../backends/backend-rows'
import { type Backends, createBackends } from '../backends/backends'
import type { Database } from '../database'
import { idTrouble } from '../gateway/node-ids'
import { capabilityIds } from '../gateway/runtime'
import type { Logger } from '../log'
import { commandEnv } from '../nodes/command-env'
import type { LocalNode } from '../nodes/local'
import type { ProcessTable } from '../nodes/process-table'
import { placeToolNames } from '../tools/place-tools'

/** Places that programs of this machine lead to. */
export function composeBackends(options: {
  database: Database
  log: Logger
  table: ProcessTable
  localNode: LocalNode
  settings(): Settings
  /** Names that nobody else may have. */
  takenIds(): readonly string[]
  publish(event: DeckhandEvent): void
}): Backends {
  const { database, log, table, localNode, settings, publish } = options
  const { TMUX, TMUX_PANE } = process.env
  return createBackends({
    rows: createBackendRows(database),
    log,
    table,
    localNode,
    // A pane that the app was started in can be worked in.
    env: commandEnv(process.env, TMUX && TMUX_PANE ? { TMUX, TMUX_PANE } : {}),
    version,
    tools: placeToolNames,
    capabilities: capabilityIds,
    idTrouble: (id) => idTrouble(id, options.takenIds()),
    announceQuestions: (questions) => publish({ type: 'backend-questions', questions }),
    primary: () => settings().primaryNode,
  })
}

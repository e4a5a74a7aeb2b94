import { openInProcessHost } from './host-link'
import { createLocalNode } from './local'
import { createProcessTable, type ProcessTable, type StartRequest } from './process-table'

/** A table for tests, with the terminals of this process, that keeps no rows. */
export const openTestTable = (
  logDir: string,
  options: Partial<Parameters<typeof createProcessTable>[0]> = {},
): ProcessTable =>
  createProcessTable({
    nodes: options.nodes ?? [createLocalNode({ openHost: openInProcessHost })],
    logDir,
    save() {},
    load: () => [],
    publish() {},
    ...options,
  })

/** A shell command of some session. */
export const shellRequest = (command: string, cwd: string, more: Partial<StartRequest> = {}): StartRequest => ({
  sessionId: 's',
  callId: null,
  command,
  argv: ['/bin/sh', '-c', command],
  cwd,
  background: false,
  byUser: false,
  ...more,
})

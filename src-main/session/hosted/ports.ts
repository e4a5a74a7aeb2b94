import type { Hosts } from '../../hosts/hosts'
import type { ProcessTable } from '../../nodes/process-table'
import type { Receipts } from '../../receipts/receipts'
import type { StartCommand } from '../../tools/shell/login/login-shell'

/** What turns of hosted agents need. */
export interface HostedPorts {
  hosts: Hosts
  table: ProcessTable
  /** How the local shell starts a command. */
  startCommand?: StartCommand
  receipts?: Pick<Receipts, 'list'>
  /** Removes known secrets from a text. */
  clean(text: string): string
}

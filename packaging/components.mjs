import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { at } from '../scripts/run.mjs'

/**
 * Everything of others that a package holds: what the build bundled, and what lies beside it as a package of npm.
 * @returns {{ folder: string, name: string, version: string, licence: string, integrity: string | undefined, bundled: boolean }[]}
 */
export function components({ platform, arch }) {
  const lock = readJson('package-lock.json').packages
  const bundled = ['main', 'preload', 'renderer', 'replay'].flatMap((part) => readJson(`out/bundled/${part}.json`))
  const beside = runtimePackages(lock, { platform, arch })
  return [...new Set([...bundled, ...beside])].sort().map((folder) => {
    const info = readJson(`${folder}/package.json`)
    const { name, version } = info
    return {
      folder,
      name,
      version,
      licence: licenceOf(info) || licenceByText(licenceTexts(folder)),
      integrity: lock[folder]?.integrity,
      bundled: bundled.includes(folder),
    }
  })
}

/** The packages that are not bundled, with all that they need, as npm would install them for this platform. */
function runtimePackages(lock, { platform, arch }) {
  const seen = new Set()
  const visit = (name, from) => {
    const folder = find(lock, name, from)
    if (!folder || seen.has(folder)) return
    const { os, cpu, dependencies, optionalDependencies } = lock[folder]
    if ((os && !os.includes(platform)) || (cpu && !cpu.includes(arch))) return
    seen.add(folder)
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) visit(each, folder)
  }
  for (const name of Object.keys(readJson('package.json').dependencies)) visit(name, '')
  // It is there to compile node-pty, which comes compiled.
  seen.delete('node_modules/node-addon-api')
  seen.delete('node_modules/node-pty/node_modules/node-addon-api')
  return [...seen]
}

/** Where a package that another asks for lies: in its own folder, or in one above. */
function find(lock, name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const wanted = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`
    if (lock[wanted]) return wanted
    if (!folder) return undefined
    if (!folder.includes('/node_modules/')) folder = ''
  }
}

function licenceOf({ license, licenses }) {
  if (typeof license === 'string') return license
  return license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? ''
}

/** By the first line of a text; a package may come with one and declare nothing. Empty if it is not a well-known one. */
export function licenceByText(texts) {
  const known = [
    [/^(?:the )?mit license\b/i, 'MIT'],
    [/^(?:the )?isc license\b/i, 'ISC'],
    [/^apache license\s+version 2\.0\b/i, 'Apache-2.0'],
  ]
  return known.find(([words]) => texts.some((text) => words.test(text.trim())))?.[1] ?? ''
}

/** The texts of the licence in a package. */
export function licenceTexts(folder) {
  if (!existsSync(at(folder))) return []
  return readdirSync(at(folder))
    .filter((name) => /^(licen[cs]e|copying|notice|thirdpartynotices)/i.test(name) && !/\.(js|ts|json)$/.test(name))
    .sort()
    .map((name) => readFileSync(join(at(folder), name), 'utf8').trim())
}

function readJson(path) {
  return JSON.parse(readFileSync(at(path), 'utf8'))
}

import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isGitPart } from './git-parts'

/** How much of a workspace is watched and kept. The receipt says what exceeds the limits. */
export interface Limits {
  maxEntries: number
  scanMs: number
  /** Limit on one file. */
  maxFileBytes: number
  /** Limit on all files of a workspace, uncompressed. */
  maxWorkspaceBytes: number
  /** Time limit for reading new files before a command may run. */
  keepMs: number
}

export const usualLimits: Limits = {
  maxEntries: 20_000,
  scanMs: 1_500,
  maxFileBytes: 8 * 1024 * 1024,
  maxWorkspaceBytes: 200 * 1024 * 1024,
  keepMs: 2_000,
}

/** A home folder is too large to be watched: only its top level is. */
export const homeLimits: Limits = {
  maxEntries: 2_000,
  scanMs: 200,
  maxFileBytes: 1024 * 1024,
  maxWorkspaceBytes: 20 * 1024 * 1024,
  keepMs: 300,
}

/** Limit on all stored images together, as stored. */
export const maxStoredBytes = 500 * 1024 * 1024
/** After this much was added, the total is checked. */
export const sweepAfterBytes = 50 * 1024 * 1024
export const keptDays = 30
/** The most files that a receipt lists. */
export const maxListed = 2_000

/** Folders that tools generate and can generate again, or that have a history of their own. */
export const madeByTools = new Set(
  `.git .hg .svn .jj node_modules bower_components .venv venv __pycache__ .tox .nox .mypy_cache .pytest_cache .ruff_cache
  .cache .next .nuxt .svelte-kit .turbo .parcel-cache .gradle .terraform .direnv .pnpm-store .yarn .dart_tool`.split(
    /\s+/,
  ),
)

/** Not user files; they matter if the workspace is the whole machine. */
const madeBySystem = new Set(['/proc', '/sys', '/dev', '/run'])

/** Folders whose content is not watched: what tools generate, and folders that the top .gitignore names. */
export function sealedFolders(root: string, home: string, ownFolder: string): (path: string, name: string) => boolean {
  const ignored = ignoredNames(root)
  const isHome = holdsHome(root, home)
  const own = relative(root, ownFolder)
  return (path, name) =>
    (madeByTools.has(name) && !isGitPart(path)) ||
    ignored.has(name) ||
    path === own ||
    (isHome && path === name && name.startsWith('.')) ||
    madeBySystem.has(join(root, path))
}

export const holdsHome = (root: string, home: string): boolean => !relative(root, home).startsWith('..')

/** Plain folder names in a .gitignore; patterns are ignored. */
function ignoredNames(root: string): Set<string> {
  let text: string
  try {
    text = readFileSync(`${root}/.gitignore`, 'utf8')
  } catch {
    return new Set() // Missing or unreadable.
  }
  return new Set(text.split('\n').flatMap((line) => /^\/?([\w.@-]+)\/?$/.exec(line.trim())?.[1] ?? []))
}

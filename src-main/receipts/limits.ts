import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** How much of a workspace is watched and kept. What goes beyond is said in the receipt. */
export interface Limits {
  maxEntries: number
  scanMs: number
  /** Of one file. */
  maxFileBytes: number
  /** Of all files of a workspace, as they are. */
  maxWorkspaceBytes: number
  /** For reading what is new, before a command may run. */
  keepMs: number
}

export const usualLimits: Limits = {
  maxEntries: 20_000,
  scanMs: 1_500,
  maxFileBytes: 8 * 1024 * 1024,
  maxWorkspaceBytes: 200 * 1024 * 1024,
  keepMs: 2_000,
}

/** A home folder holds a life, not a project: only what lies on top is watched. */
export const homeLimits: Limits = {
  maxEntries: 2_000,
  scanMs: 200,
  maxFileBytes: 1024 * 1024,
  maxWorkspaceBytes: 20 * 1024 * 1024,
  keepMs: 300,
}

/** All images together, as they are stored. */
export const maxStoredBytes = 500 * 1024 * 1024
/** So much may come in before it is looked whether that was too much. */
export const sweepAfterBytes = 50 * 1024 * 1024
export const keptDays = 30
/** A receipt lists no more than this. */
export const maxListed = 2_000

/** What tools make and can make again, or that keeps a history of its own. */
const madeByTools = new Set(
  `.git .hg .svn .jj node_modules bower_components .venv venv __pycache__ .tox .nox .mypy_cache .pytest_cache .ruff_cache
  .cache .next .nuxt .svelte-kit .turbo .parcel-cache .gradle .terraform .direnv .pnpm-store .yarn .dart_tool`.split(
    /\s+/,
  ),
)

/** No files of anybody's, where the workspace is the whole machine. */
const madeBySystem = new Set(['/proc', '/sys', '/dev', '/run'])

/** Which folders are looked at from outside only: what tools make, and what the top .gitignore names as a whole. */
export function sealedFolders(root: string, home: string, ownFolder: string): (path: string, name: string) => boolean {
  const ignored = ignoredNames(root)
  const isHome = holdsHome(root, home)
  const own = relative(root, ownFolder)
  return (path, name) =>
    madeByTools.has(name) ||
    ignored.has(name) ||
    path === own ||
    (isHome && path === name && name.startsWith('.')) ||
    madeBySystem.has(join(root, path))
}

export const holdsHome = (root: string, home: string): boolean => !relative(root, home).startsWith('..')

/** Plain folder names of a .gitignore; anything cleverer than a name is left to git. */
function ignoredNames(root: string): Set<string> {
  let text: string
  try {
    text = readFileSync(`${root}/.gitignore`, 'utf8')
  } catch {
    return new Set() // None, or not to be read.
  }
  return new Set(text.split('\n').flatMap((line) => /^\/?([\w.@-]+)\/?$/.exec(line.trim())?.[1] ?? []))
}

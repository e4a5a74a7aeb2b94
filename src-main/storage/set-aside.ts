import { lstatSync, renameSync } from 'node:fs'

/**
 * Renames what cannot be used, with what belongs to it, so that something new can take its place and nothing is lost.
 * Returns the new path. `ending` stays the ending, so that programs still know what it is.
 */
export function setAside(
  path: string,
  time: number,
  { ending = '', along = [] }: { ending?: string; along?: readonly string[] } = {},
): string {
  const stamp = new Date(time).toISOString().replaceAll(':', '-').slice(0, 19)
  const stem = ending && path.endsWith(ending) ? path.slice(0, -ending.length) : path
  const name = (extra: string): string => `${stem}.broken-${stamp}${extra}${stem === path ? '' : ending}`
  let aside = name('')
  for (let n = 2; isThere(aside); n++) aside = name(`-${n}`)
  renameSync(path, aside)
  for (const suffix of along) if (isThere(path + suffix)) renameSync(path + suffix, aside + suffix)
  return aside
}

export const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

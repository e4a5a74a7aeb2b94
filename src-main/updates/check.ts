import { fetchManifest, type Looking, type UpdateSource } from './fetch-manifest'
import { howInstalled, howToUpdate } from './how-installed'
import type { UpdateManifest } from './manifest'
import { compareVersions } from './versions'

/** A newer version than the running one. */
interface FoundUpdate {
  manifest: UpdateManifest
  /** What the user types to get it; null where the app replaces itself. */
  command: string | null
}

/** Null when this is the newest. Throws `UpdateRefused` for a list that must not be followed. */
export async function findUpdate(
  source: UpdateSource,
  options: Looking & { program?: string; arch?: string },
): Promise<FoundUpdate | null> {
  const { current, program = process.execPath, arch = process.arch } = options
  const manifest = await fetchManifest(source, options)
  if (compareVersions(manifest.version, current) <= 0) return null
  return { manifest, command: howToUpdate(howInstalled(program), manifest, { url: source.url, arch }) }
}

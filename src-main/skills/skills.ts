import { existsSync, readdirSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SkillEntry, SkillInfo } from '../../src-preload/contract/skills'
import type { OwnFiles } from '../agents/own-files'
import { binsOf, type Eligibility, evaluate, type SkillHost } from './eligibility'
import { readManifest, readRequirements, type SkillManifest } from './frontmatter'
import type { SkillFolder } from './skill-folders'

interface SkillsDeps {
  files: OwnFiles
  /** Machines that are connected now. */
  hosts(): SkillHost[]
  /** Which of these programs a machine has. */
  probe(hostId: string, bins: string[], fresh: boolean): Promise<Record<string, boolean>>
  /** Ids of capabilities that a skill may require. */
  capabilities: readonly string[]
  /** The configuration, for requirements that name a path in it. */
  config(): unknown
  /** Where other programs keep skills too. */
  elsewhere?(workspace: string | undefined): SkillFolder[]
  /** By name, folder or location. */
  entries(): Readonly<Record<string, SkillEntry>>
}

export interface Skills {
  /** All skills, with the reason if one cannot be used. Checks the files each time, which costs only a few stats. */
  list(agentId: string, options?: { fresh?: boolean; workspace?: string | undefined }): Promise<SkillInfo[]>
  /** The skills that a prompt may list. */
  eligible(agentId: string, workspace?: string): Promise<SkillInfo[]>
  /** Whether there are any skills. Cheap enough to call for every request. */
  any(agentId: string, workspace?: string): boolean
  /** By name or folder. Includes skills that are not eligible; the caller decides. */
  find(agentId: string, name: string, workspace?: string): Promise<SkillInfo | null>
}

interface Found {
  manifest: SkillManifest
  location: string
  folder: string
  source: SkillInfo['source']
}

const skillFile = 'SKILL.md'
const deepest = 3
const mostSkills = 500
/** Bytes of a SKILL.md that are read for its metadata. */
const headBytes = 64 * 1024
/** How long the folders are taken to be as they were: skills rarely come and go. */
const lookAgainMs = 1000

/** Skills of an agent: its own, and those that all agents share. */
export function createSkills(deps: SkillsDeps): Skills {
  const manifests = new Map<string, { stamp: string; manifest: SkillManifest }>()
  const looked = new Map<string, { at: number; any: boolean }>()

  const manifestOf = async (file: string, folder: string): Promise<SkillManifest> => {
    const { mtimeMs, size } = await stat(file)
    const stamp = `${mtimeMs}:${size}`
    const known = manifests.get(file)
    if (known?.stamp === stamp) return known.manifest
    const bytes = await readFile(file)
    const manifest = await readManifest(bytes.toString('utf8', 0, headBytes), folder)
    manifests.set(file, { stamp, manifest })
    return manifest
  }

  const scan = async (root: string, source: Found['source'], shown = 'skills'): Promise<Found[]> => {
    const files = await skillFilesIn(root, '', deepest)
    return Promise.all(
      files.slice(0, mostSkills).map(async (path) => {
        const folder = join(root, dirname(path))
        const name = path.split('/').at(-2) ?? path
        return { manifest: await manifestOf(join(root, path), name), location: `${shown}/${path}`, folder, source }
      }),
    )
  }

  const list: Skills['list'] = async (agentId, { fresh = false, workspace } = {}) => {
    const [own, shared, ...others] = await Promise.all([
      scan(join(deps.files.folder(agentId), 'skills'), 'agent'),
      scan(deps.files.sharedSkills(), 'global'),
      ...(deps.elsewhere?.(workspace) ?? []).map(({ root, source, shown }) => scan(root, source, shown)),
    ])
    const hides = (one: Found, other: Found): boolean =>
      one.location === other.location || one.manifest.name === other.manifest.name
    const visible = [...own, ...shared.filter((skill) => !own.some((mine) => hides(mine, skill)))]
    // A skill that came with a folder never takes the place of one of the user's.
    for (const found of others.flat())
      if (!visible.some(({ manifest }) => manifest.name === found.manifest.name)) visible.push(found)
    const rows = await Promise.all(
      visible.map(async (found): Promise<SkillInfo> => {
        const { requires, always, enabled, verdict } = await judge(deps, found, entryFor(deps.entries(), found), fresh)
        return {
          name: found.manifest.name,
          description: found.manifest.description,
          location: found.location,
          source: found.source,
          hidesGlobal: found.source === 'agent' && shared.some((skill) => hides(found, skill)),
          folder: found.folder,
          homepage: found.manifest.homepage,
          always,
          enabled,
          eligible: verdict.eligible,
          eligibleHosts: verdict.hosts,
          reasons: verdict.reasons,
          requires,
        }
      }),
    )
    return rows.sort((one, other) => one.name.localeCompare(other.name, 'en'))
  }

  return {
    list,
    eligible: async (agentId, workspace) => (await list(agentId, { workspace })).filter(({ eligible }) => eligible),
    any: (agentId, workspace = '') => {
      const key = `${agentId}\n${workspace}`
      const known = looked.get(key)
      const now = performance.now()
      if (known && now - known.at < lookAgainMs) return known.any
      const roots = [
        join(deps.files.folder(agentId), 'skills'),
        deps.files.sharedSkills(),
        ...(deps.elsewhere?.(workspace || undefined) ?? []).map(({ root }) => root),
      ]
      const any = roots.some((root) => namesIn(root).length > 0)
      if (looked.size > 100) looked.clear()
      looked.set(key, { at: now, any })
      return any
    },
    find: async (agentId, name, workspace) => {
      const wanted = name.trim()
      const rows = await list(agentId, { workspace })
      return (
        rows.find((skill) => skill.name === wanted) ??
        rows.find((skill) => skill.location === wanted || skill.location === `skills/${wanted}/${skillFile}`) ??
        rows.find((skill) => skill.name.toLowerCase() === wanted.toLowerCase()) ??
        null
      )
    },
  }
}

/** Whether a skill can be used, and why not. */
const judge = async (deps: SkillsDeps, { manifest }: Found, entry: SkillEntry | undefined, fresh: boolean) => {
  const replaced = entry?.requires === undefined ? null : readRequirements(entry.requires)
  const requires = replaced?.requires ?? manifest.requires
  const always = entry?.always ?? manifest.always
  const enabled = entry?.enabled !== false
  const trouble = replaced ? replaced.problem : manifest.trouble
  const verdict: Eligibility = !enabled
    ? { eligible: false, hosts: [], reasons: ['switched off'] }
    : always
      ? { eligible: true, hosts: [], reasons: [] }
      : trouble
        ? { eligible: false, hosts: [], reasons: [trouble] }
        : evaluate(requires, await hostsWith(deps, binsOf(requires), fresh), {
            capabilities: deps.capabilities,
            config: deps.config(),
          })
  return { requires, always, enabled, verdict }
}

const hostsWith = (deps: SkillsDeps, bins: string[], fresh: boolean): Promise<SkillHost[]> =>
  Promise.all(
    deps
      .hosts()
      .map(async (host) => (bins.length === 0 ? host : { ...host, bins: await deps.probe(host.id, bins, fresh) })),
  )

/** By name, then by folder, then by location. */
function entryFor(
  entries: Readonly<Record<string, SkillEntry>>,
  { manifest, location }: Found,
): SkillEntry | undefined {
  const folder = location.split('/').at(-2) ?? ''
  const key = [manifest.name, folder, location].find((candidate) => Object.hasOwn(entries, candidate))
  return key === undefined ? undefined : entries[key]
}

async function skillFilesIn(root: string, path: string, depth: number): Promise<string[]> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  if (path !== '' && entries.some((entry) => entry.name === skillFile && entry.isFile()))
    return [`${path}/${skillFile}`]
  if (depth === 0) return []
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  const below = await Promise.all(
    folders.map(({ name }) => skillFilesIn(root, path ? `${path}/${name}` : name, depth - 1)),
  )
  return below.flat()
}

function namesIn(folder: string): string[] {
  // Most agents have no skills, and to look is much cheaper than to fail.
  if (!existsSync(folder)) return []
  try {
    return readdirSync(folder)
  } catch {
    return [] // Not a folder, or not readable.
  }
}

import type { SkillRequirements } from '../../src-preload/contract/skills'
import { isRecord } from '../is-record'

/** The metadata of a SKILL.md. */
export interface SkillManifest {
  name: string
  description: string
  homepage: string | null
  always: boolean
  requires: SkillRequirements
  /** What could not be parsed, if anything; such a skill is never eligible. */
  trouble: string | null
}

export const noRequirements = (): SkillRequirements => ({
  hostRoles: [],
  capabilities: [],
  anyCapabilities: [],
  os: [],
  env: [],
  bins: [],
  anyBins: [],
  config: [],
})

/** Metadata keys that may hold the requirements; the first one present is used. */
const namespaces = ['gsv', 'openclaw', 'clawdbot'] as const
const longestDescription = 200
const longestName = 100

type Fields = Record<string, unknown>

/** Reads the frontmatter of a SKILL.md. `folder` is used as the name if there is none. */
export async function readManifest(text: string, folder: string): Promise<SkillManifest> {
  const { head, body } = split(text)
  const fields = head === null ? {} : await readFields(head)
  const trouble = fields === null ? 'its frontmatter cannot be read' : null
  const manifest = namespaceOf(await readNested(fields?.metadata))
  const { requires, problem } = readRequirements(manifest.requires ?? fields?.requires)
  return {
    name: line(fields?.name).slice(0, longestName) || folder,
    description: line(fields?.description) || firstParagraph(body),
    homepage: webAddress(line(fields?.homepage) || line(manifest.homepage)),
    always: (manifest.always ?? fields?.always) === true,
    requires,
    trouble: trouble ?? problem,
  }
}

function split(text: string): { head: string | null; body: string } {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text)
  return found ? { head: found[1] ?? '', body: found[2] ?? '' } : { head: null, body: text }
}

/** Parsed as YAML, which accepts the trailing commas that JSON in these files often has. */
async function readFields(text: string): Promise<Fields | null> {
  const { parse } = await import('yaml')
  try {
    const value: unknown = parse(text, { maxAliasCount: 0, logLevel: 'error' })
    return isRecord(value) ? value : {}
  } catch {
    // The skill is then shown as unreadable.
    return null
  }
}

/** Metadata is an object, or a string that contains one. */
const readNested = async (value: unknown): Promise<Fields> =>
  isRecord(value) ? value : typeof value === 'string' ? ((await readFields(value)) ?? {}) : {}

function namespaceOf(metadata: Fields): Fields {
  for (const name of namespaces) {
    const manifest = Object.hasOwn(metadata, name) ? metadata[name] : undefined
    if (isRecord(manifest)) return manifest
  }
  return metadata
}

/** Also used for requirements in the settings that override those of the skill. */
export function readRequirements(value: unknown): { requires: SkillRequirements; problem: string | null } {
  const requires = noRequirements()
  if (value === undefined || value === null) return { requires, problem: null }
  if (!isRecord(value)) return { requires, problem: 'its requirements cannot be read' }
  for (const key of Object.keys(requires) as (keyof SkillRequirements)[]) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined
    if (given === undefined || given === null) continue
    const list = typeof given === 'string' ? [given] : given
    if (!Array.isArray(list) || list.some((item) => typeof item !== 'string' || item.trim() === ''))
      return { requires, problem: `its requirement ${key} is not a list of words` }
    requires[key] = [...new Set(list.map((item: string) => item.trim()))]
  }
  return { requires, problem: null }
}

function firstParagraph(body: string): string {
  const paragraph = body
    .split(/\r?\n\s*\r?\n/)
    .map((block) =>
      block
        .replace(/^\s*#.*$/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .find((block) => block !== '')
  return [...(paragraph ?? '')].slice(0, longestDescription).join('')
}

/** Collapses text into a single line, to keep prompts short. */
const line = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).replace(/\s+/g, ' ').trim().slice(0, 1000) : ''

const webAddress = (text: string): string | null => (/^https?:\/\//.test(text) && URL.canParse(text) ? text : null)

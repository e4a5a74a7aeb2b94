import type { SkillRequirements } from '../../src-preload/contract/skills'
import { isRecord } from '../is-record'

/** What a SKILL.md says of itself. */
export interface SkillManifest {
  name: string
  description: string
  homepage: string | null
  always: boolean
  requires: SkillRequirements
  /** What it asks for in a way that nobody can read; such a skill is never eligible. */
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

/** Where the requirements stand: the first of these that is there counts. */
const namespaces = ['gsv', 'openclaw', 'clawdbot'] as const
const longestDescription = 200
const longestName = 100

type Fields = Record<string, unknown>

/** Reads the head of a SKILL.md. `folder` is its name where it gives none. */
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

/** YAML takes the trailing commas that JSON in these files often has. */
async function readFields(text: string): Promise<Fields | null> {
  const { parse } = await import('yaml')
  try {
    const value: unknown = parse(text, { maxAliasCount: 0, logLevel: 'error' })
    return isRecord(value) ? value : {}
  } catch {
    // Whatever is wrong with it, the skill is shown as one that cannot be read.
    return null
  }
}

/** Metadata is an object, or a text that holds one. */
const readNested = async (value: unknown): Promise<Fields> =>
  isRecord(value) ? value : typeof value === 'string' ? ((await readFields(value)) ?? {}) : {}

function namespaceOf(metadata: Fields): Fields {
  for (const name of namespaces) {
    const manifest = Object.hasOwn(metadata, name) ? metadata[name] : undefined
    if (isRecord(manifest)) return manifest
  }
  return metadata
}

/** Also for what the settings put in the place of a skill's own requirements. */
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

/** One line: what enters a prompt has no room for more. */
const line = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).replace(/\s+/g, ' ').trim().slice(0, 1000) : ''

const webAddress = (text: string): string | null => (/^https?:\/\//.test(text) && URL.canParse(text) ? text : null)

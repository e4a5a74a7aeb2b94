import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SkillEntry } from '../../src-preload/contract/skills'
import { createOwnFiles } from '../agents/own-files'
import { evaluate, type SkillHost } from './eligibility'
import { noRequirements, readManifest } from './frontmatter'
import { createSkills } from './skills'

const host = (id: string, more: Partial<SkillHost> = {}): SkillHost => ({
  id,
  role: 'execution',
  capabilities: ['shell.exec', 'filesystem.read'],
  os: 'linux',
  envKeys: ['HOME'],
  bins: {},
  ...more,
})
const capabilities = ['shell.exec', 'filesystem.read', 'text.search']

describe('eligibility', () => {
  const judge = (requires: object, hosts: SkillHost[], config: unknown = {}) =>
    evaluate({ ...noRequirements(), ...requires }, hosts, { capabilities, config })

  it('asks nothing of a machine when the skill does not', () => {
    expect(judge({}, [])).toEqual({ eligible: true, hosts: [], reasons: [] })
    expect(judge({ bins: ['gh'] }, [])).toMatchObject({ eligible: false, reasons: ['no node is connected'] })
  })

  it.each([
    [{ hostRoles: ['specialized'] }, 'requires hostRoles: specialized'],
    [{ capabilities: ['shell.exec', 'text.search'] }, 'requires capabilities: shell.exec, text.search'],
    [{ anyCapabilities: ['text.search'] }, 'requires anyCapabilities: text.search'],
    [{ os: ['darwin', 'windows'] }, 'requires os: darwin, windows'],
    [{ env: ['HOME', 'TOKEN'] }, 'requires env: HOME, TOKEN'],
    [{ bins: ['gh'] }, 'requires bins: gh'],
    [{ anyBins: ['rg', 'ag'] }, 'requires anyBins: rg, ag'],
    [{ config: ['channels.slack.token'] }, 'requires config: channels.slack.token'],
    [{ hostRoles: ['boss'] }, 'unknown host role: boss'],
    [{ anyCapabilities: ['teleport'] }, 'unknown capability: teleport'],
  ])('%j is not met', (requires, reason) => {
    expect(judge(requires, [host('a')])).toEqual({ eligible: false, hosts: [], reasons: [reason] })
  })

  it('wants everything on one same machine', () => {
    const mac = host('mac', { os: 'darwin' })
    const box = host('box', { bins: { gh: true } })
    expect(judge({ os: ['macos'], bins: ['gh'] }, [mac, box])).toMatchObject({
      eligible: false,
      reasons: ['requires bins: gh on mac (there on box, but the rest is not)'],
    })
    expect(judge({ os: ['macos'], bins: ['gh'] }, [{ ...mac, bins: { gh: true } }, box])).toMatchObject({
      eligible: true,
      hosts: ['mac'],
    })
  })

  it('looks only at what is really there', () => {
    expect(judge({ bins: ['constructor'] }, [host('a')])).toMatchObject({ eligible: false })
    expect(judge({ config: ['constructor'] }, [], {})).toMatchObject({ eligible: false })
    expect(judge({ config: ['a.b'] }, [], { a: { b: ['x'] } })).toMatchObject({ eligible: true })
    expect(judge({ config: ['a.b'] }, [], { a: { b: [] } })).toMatchObject({ eligible: false })
  })
})

describe('frontmatter', () => {
  const read = (head: string, body = 'Body.') => readManifest(`---\n${head}\n---\n${body}`, 'folder')

  it('takes the namespace that comes first, trailing commas and all', async () => {
    const manifest = await read(
      `name: gh\ndescription: Talks to\n  GitHub\nhomepage: https://example.com\nmetadata: {"clawdbot": {"requires": {"bins": ["old"]}}, "gsv": {"always": true, "requires": {"bins": ["gh",], "os": "linux",},},}`,
    )
    expect(manifest).toMatchObject({
      name: 'gh',
      description: 'Talks to GitHub',
      homepage: 'https://example.com',
      always: true,
      requires: { bins: ['gh'], os: ['linux'] },
      trouble: null,
    })
  })

  it('makes do with what is there', async () => {
    const body = `# Title\n\nFirst ${'words '.repeat(80)}\n\nSecond.`
    expect(await readManifest(body, 'folder')).toMatchObject({
      name: 'folder',
      description: expect.stringMatching(/^First words/),
    })
    expect((await readManifest(body, 'folder')).description).toHaveLength(200)
    expect(await read('name: "x\nbroken: [')).toMatchObject({
      name: 'folder',
      trouble: 'its frontmatter cannot be read',
    })
    expect(await read('metadata: {"gsv": {"requires": {"bins": [7]}}}')).toMatchObject({
      trouble: expect.stringContaining('bins'),
    })
    expect(await read('homepage: javascript:alert(1)')).toMatchObject({ homepage: null })
  })
})

describe('skills', () => {
  let root: string
  let entries: Record<string, SkillEntry>
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'deckhand-skills-'))
    entries = {}
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const put = (path: string, text: string): void => {
    mkdirSync(join(root, path), { recursive: true })
    writeFileSync(join(root, path, 'SKILL.md'), text)
  }
  const probed: string[] = []
  const skills = () =>
    createSkills({
      files: createOwnFiles(root),
      hosts: () => [host('box')],
      probe: async (hostId, bins) => {
        probed.push(`${hostId} ${bins}`)
        return Object.fromEntries(bins.map((bin) => [bin, bin === 'gh']))
      },
      capabilities,
      config: () => ({}),
      entries: () => entries,
    })
  const needs = (bin: string): string =>
    `---\nname: ${bin}\nmetadata: {"gsv": {"requires": {"bins": ["${bin}"]}}}\n---\nUse it.`

  it('an own skill hides the shared one of its name', async () => {
    put('skills/notes', '---\nname: notes\ndescription: shared\n---\n')
    put('agents/main/skills/my-notes', '---\nname: notes\ndescription: own\n---\n')
    expect(await skills().list('main')).toMatchObject([
      { name: 'notes', description: 'own', source: 'agent', hidesGlobal: true },
    ])
    expect(await skills().list('other')).toMatchObject([
      { description: 'shared', source: 'global', location: 'skills/notes/SKILL.md' },
    ])
    expect(skills().any('main')).toBe(true)
  })

  it('looks for programs where a skill needs them, and only there', async () => {
    put('skills/gh', needs('gh'))
    put('skills/zz', needs('zz'))
    put('skills/plain', '---\nname: plain\n---\n')
    probed.length = 0
    expect((await skills().list('main')).map(({ name, eligible, reasons }) => [name, eligible, reasons])).toEqual([
      ['gh', true, []],
      ['plain', true, []],
      ['zz', false, ['requires bins: zz']],
    ])
    expect(probed.sort()).toEqual(['box gh', 'box zz'])
  })

  it('minds what the user says about a skill, by name or folder', async () => {
    put('skills/a', needs('zz'))
    put('skills/b', '---\nname: b\n---\n')
    entries = { a: { always: true }, b: { enabled: false } }
    expect((await skills().list('main')).map(({ name, eligible, reasons }) => [name, eligible, reasons])).toEqual([
      ['b', false, ['switched off']],
      ['zz', true, []],
    ])
    entries = { zz: { requires: { bins: ['gh'] } } }
    expect((await skills().eligible('main')).map(({ name }) => name)).toEqual(['b', 'zz'])
  })

  it('sees a change at the next look', async () => {
    put('skills/a', '---\nname: a\ndescription: before\n---\n')
    const service = skills()
    await service.list('main')
    put('skills/a', '---\nname: a\ndescription: afterwards\n---\n')
    expect(await service.find('main', 'A')).toMatchObject({ description: 'afterwards' })
    rmSync(join(root, 'skills'), { recursive: true })
    expect(await service.list('main')).toEqual([])
    expect(service.any('main')).toBe(false)
  })
})

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createOwnFiles } from '../agents/own-files'
import { createSkillTool } from '../tools/agents/skill'
import { skillFolders } from './skill-folders'
import { createSkills, type Skills } from './skills'

let root = ''
let skills: Skills
const project = () => join(root, 'project')
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const skill = (path: string, name: string, words: string): void =>
  write(`${path}/SKILL.md`, `---\nname: ${name}\ndescription: ${words}\n---\nHow to ${words}.`)
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-skills-'))
  mkdirSync(project())
  skills = createSkills({
    files: createOwnFiles(join(root, 'data')),
    hosts: () => [],
    probe: async () => ({}),
    capabilities: [],
    config: () => ({}),
    entries: () => ({}),
    elsewhere: (workspace) => skillFolders(join(root, 'home'), workspace),
  })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('skills of the home folder and of the project are there, and never replace nearer ones', async () => {
  skill('data/skills/pdf', 'pdf', 'ours')
  skill('home/.claude/skills/pdf', 'pdf', 'theirs')
  skill('home/.agents/skills/notes', 'notes', 'take notes')
  skill('project/.claude/skills/notes', 'notes', 'of a stranger')
  skill('project/.agents/skills/build', 'build', 'build it')
  expect(
    (await skills.eligible('main', project())).map(({ name, source, location }) => [name, source, location]),
  ).toEqual([
    ['build', 'project', '.agents/skills/build/SKILL.md'],
    ['notes', 'user', '~/.agents/skills/notes/SKILL.md'],
    ['pdf', 'global', 'skills/pdf/SKILL.md'],
  ])
  expect((await skills.eligible('main')).map(({ name }) => name)).toEqual(['notes', 'pdf'])
  expect(skills.any('main', project())).toBe(true)
})

it('a project cannot lead out of its folder by a link', async () => {
  skill('outside/evil', 'evil', 'evil')
  mkdirSync(join(project(), '.claude'))
  symlinkSync(join(root, 'outside'), join(project(), '.claude/skills'))
  expect(await skills.eligible('main', project())).toEqual([])
})

it('the tool reads them and their files, and nothing beside them', async () => {
  skill('project/.agents/skills/build', 'build', 'build it')
  write('project/.agents/skills/build/more.md', 'More.')
  write('project/secret.txt', 'secret')
  const tool = createSkillTool({ skills, files: createOwnFiles(join(root, 'data')), agentOf: () => 'main' })
  const read = (path?: string) =>
    tool.execute({ name: 'build', ...(path && { path }) }, { sessionId: 's', workspace: project() } as never)
  expect(await read()).toMatchObject({ name: 'build', content: expect.stringContaining('How to build it.') })
  expect(await read('more.md')).toMatchObject({ content: 'More.' })
  await expect(read('../../../secret.txt')).rejects.toThrow('outside')
  await expect(read('gone.md')).rejects.toThrow('There is no file')
})

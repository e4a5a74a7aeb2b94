import { expect, it } from 'vitest'
import { type PromptFacts, systemPrompt } from './prompt'

const facts: PromptFacts = {
  workspace: '/home/ada/boat',
  date: '3 May 2026',
  timeZone: 'Europe/Berlin',
  shell: '/bin/bash',
  platform: 'linux',
}

it('stays small', () => {
  expect(Buffer.byteLength(systemPrompt(facts))).toBeLessThan(2560)
})

it('names the place and the day', () => {
  const prompt = systemPrompt(facts)
  expect(prompt).toContain('Workspace: /home/ada/boat')
  expect(prompt).toContain('Date: 3 May 2026 (Europe/Berlin)')
  expect(prompt).not.toContain('workspace-instructions')
})

it('names no tools that another vocabulary does not have, and says where its tools work', () => {
  const own = systemPrompt(facts)
  const other = systemPrompt({ ...facts, ownTools: false, place: 'ssh ada@boat' })
  for (const name of ['Grep', 'Todo', 'Process', 'background: true']) {
    expect(own).toContain(name)
    expect(other).not.toContain(name)
  }
  expect(other).toContain('Your tools work on ssh ada@boat')
  expect(own).not.toContain('Your tools work on')
  for (const prompt of [own, other]) expect(prompt).not.toContain('\n\n\n')
})

it('carries the section of instructions at its end', () => {
  expect(systemPrompt({ ...facts, instructions: 'SECTION' })).toBe(`${systemPrompt(facts)}\n\nSECTION`)
})

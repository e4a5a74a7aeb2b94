import { expect, it } from 'vitest'
import { type PromptFacts, systemPrompt } from './prompt'

const facts: PromptFacts = {
  workspace: '/home/ada/boat',
  date: '3 May 2026',
  timeZone: 'Europe/Berlin',
  shell: '/bin/bash',
  platform: 'linux',
  readInstructions: () => null,
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

it('carries the instructions of the workspace, marked and bounded', () => {
  const prompt = systemPrompt({ ...facts, readInstructions: () => `Use tabs.\n${'x'.repeat(20_000)}` })
  expect(prompt).toContain('<workspace-instructions source="AGENTS.md">\nUse tabs.')
  expect(prompt).toContain('cut here')
  expect(prompt.length).toBeLessThan(11_500)
})

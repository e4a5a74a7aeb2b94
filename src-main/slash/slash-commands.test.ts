import { expect, test } from 'vitest'
import { commandType, readSlash } from '../../src-preload/contract/slash'
import { createSlashCommands, type SlashEntry } from './slash-commands'

const place = { sessionId: 's', workspace: '/w', agentId: 'main' }
const entry = (name: string, text: string, more: Partial<SlashEntry> = {}): SlashEntry => ({
  name,
  description: `Says ${text}`,
  hint: '[words]',
  from: 'a test',
  expand: (args) => ({ text: `${text} ${args}`.trim() }),
  ...more,
})

test('commands of several sources: sorted, the first of a name wins, unusable names and broken sources are left out', async () => {
  const troubles: unknown[] = []
  const slash = createSlashCommands({ taint: () => {}, onTrouble: (error) => void troubles.push(error) })
  slash.add({ list: () => [entry('review', 'mine'), entry('with space', 'x'), entry('a/b', 'x')] })
  slash.add({ list: () => Promise.reject(new Error('broken')) })
  slash.add({ list: async () => [entry('review', 'other'), entry('deploy', 'ship it')] })
  expect(await slash.list(place)).toEqual([
    { name: 'deploy', description: 'Says ship it', hint: '[words]', from: 'a test' },
    { name: 'review', description: 'Says mine', hint: '[words]', from: 'a test' },
  ])
  expect(troubles).toHaveLength(1)
})

test('a message that begins with a command carries what it says; any other stays as it is, at once', async () => {
  const tainted: string[] = []
  const slash = createSlashCommands({ taint: (id) => void tainted.push(id), onTrouble: () => {} })
  const picture = { name: 'a.png', mimeType: 'image/png', data: '' }
  slash.add({ list: () => [entry('review', 'Look at'), entry('far', 'From a server', { untrusted: true })] })
  expect(await slash.attachmentsFor(place, '/review src and test', [picture])).toEqual([
    picture,
    { name: '/review', mimeType: commandType, data: 'Look at src and test' },
  ])
  expect(tainted).toEqual([])
  await slash.attachmentsFor(place, '/far', [])
  expect(tainted).toEqual(['s'])
  for (const text of ['hello', '/etc/hosts is odd', 'see /review', '/']) {
    expect(slash.attachmentsFor(place, text, [picture])).toEqual([picture])
  }
  expect(await slash.attachmentsFor(place, '/unknown words', [])).toEqual([])
})

test('reads the name and what follows it', () => {
  expect(readSlash('/notes:review  two\nlines ')).toEqual({ name: 'notes:review', args: 'two\nlines' })
  expect(readSlash('/etc/hosts')).toBeNull()
  expect(readSlash('// a comment')).toBeNull()
})

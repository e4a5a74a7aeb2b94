import { expect, test } from 'vitest'
import { matchingCommands } from './slash-match'

const command = (name: string, description = '') => ({ name, description, hint: '', from: 'a test' })

test('what begins with the typed word comes first, then what contains it', () => {
  const commands = [
    command('notes:review'),
    command('preview'),
    command('review'),
    command('deploy', 'After a review'),
    command('test'),
  ]
  expect(matchingCommands(commands, 'Rev').map(({ name }) => name)).toEqual([
    'review',
    'notes:review',
    'preview',
    'deploy',
  ])
  expect(matchingCommands(commands, '')).toHaveLength(5)
  expect(matchingCommands(commands, 'zzz')).toEqual([])
})

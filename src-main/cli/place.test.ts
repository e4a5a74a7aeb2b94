import { expect, test } from 'vitest'
import { parseArguments } from '../arguments'
import { callCommand, runCommand } from './commands'
import { placeOf } from './place'

const place = (...words: string[]) => {
  const parsed = parseArguments(callCommand, words)
  if (parsed.help) throw new Error('help')
  return placeOf(parsed.options)
}

test('the command line names a place', () => {
  expect(place()).toBe(null)
  expect(place('--ssh', 'me@host:2222')).toEqual({ kind: 'ssh', host: 'me@host', port: 2222 })
  expect(place('--container', 'podman:web', '--tmux')).toEqual({
    kind: 'container',
    name: 'web',
    engine: 'podman',
    tmux: true,
  })
  expect(place('--tmux=work')).toEqual({ kind: 'local', tmux: 'work' })
})

test('a session is given behind an equals sign, so that a prompt is not taken for one', () => {
  expect(parseArguments(runCommand, ['--tmux', 'look around'])).toMatchObject({ operands: ['look around'] })
})

test('what leads nowhere is refused', () => {
  expect(() => place('--ssh', 'a', '--container', 'b')).toThrow('cannot be combined')
  expect(() => place('--ssh', '-oProxyCommand=x')).toThrow('not user@host')
  expect(() => place('--tmux=a:b')).toThrow('letters, digits')
})

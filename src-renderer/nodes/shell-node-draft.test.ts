import { expect, test } from 'vitest'
import { draftErrors, emptyDraft, placeOf, type ShellNodeDraft } from './shell-node-draft'

const draft = (part: Partial<ShellNodeDraft>): ShellNodeDraft => ({
  ...emptyDraft('ssh'),
  ...part,
})

test('a host may have its port behind it or beside it', () => {
  expect(placeOf(draft({ host: ' me@server:2222 ' }))).toEqual({ kind: 'ssh', host: 'me@server', port: 2222 })
  expect(placeOf(draft({ host: 'server', port: '22' }))).toEqual({ kind: 'ssh', host: 'server', port: 22 })
  expect(placeOf(draft({ host: 'server' }))).toEqual({ kind: 'ssh', host: 'server' })
})

test('a container may name its engine', () => {
  expect(placeOf(draft({ kind: 'container', container: 'podman:web', tmux: true }))).toEqual({
    kind: 'container',
    name: 'web',
    engine: 'podman',
    tmux: true,
  })
  expect(placeOf(draft({ kind: 'container', container: 'web' }))).toEqual({ kind: 'container', name: 'web' })
})

test('a session of tmux needs no name', () => {
  expect(placeOf(draft({ kind: 'local' }))).toEqual({ kind: 'local', tmux: true })
  expect(placeOf(draft({ kind: 'local', session: 'work' }))).toEqual({ kind: 'local', tmux: 'work' })
})

test('what cannot be a place is told at its field', () => {
  expect(draftErrors(draft({ host: '-oProxyCommand=x', port: '70000', name: 'box' }), ['box'])).toEqual({
    host: 'Enter a host, such as me@server.',
    port: 'Enter a number from 1 to 65535.',
    name: 'A node with this name already exists.',
  })
  expect(draftErrors(draft({ kind: 'container' }), [])).toEqual({
    container: 'Enter the name of a running container.',
  })
  expect(draftErrors(draft({ kind: 'local', session: 'a:b' }), [])).toEqual({
    session: 'Use letters, digits, dashes and underscores.',
  })
})

test('a distribution of WSL is a name', () => {
  expect(placeOf(draft({ kind: 'wsl', distribution: ' Ubuntu-24.04 ' }))).toEqual({ kind: 'wsl', name: 'Ubuntu-24.04' })
  for (const distribution of ['', 'two words', '-x'])
    expect(draftErrors(draft({ kind: 'wsl', distribution }), [])).toHaveProperty('distribution')
})

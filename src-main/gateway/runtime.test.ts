import { describe, expect, it } from 'vitest'
import { idFromHostname, idTrouble } from './node-ids'
import { capabilitiesOfTool, readRuntime } from './runtime'
import { greeting, plainTools } from './test-bench'

const good = greeting('x').nodeRuntime

describe('what a node tells of itself', () => {
  it('is taken as it is when it fits together', () => {
    expect(readRuntime({ ...good, hostOs: ' MacOS ' }, plainTools)).toMatchObject({ role: 'execution', os: 'darwin' })
    expect(capabilitiesOfTool('Process')).toEqual(['shell.exec'])
  })

  it.each<[string, object, readonly string[]]>([
    ['an unknown role', { hostRole: 'master' }, plainTools],
    ['no capabilities', { hostCapabilities: [] }, plainTools],
    ['an unknown capability', { hostCapabilities: [...good.hostCapabilities, 'root'] }, plainTools],
    ['a tool without an entry', {}, [...plainTools, 'Extra']],
    ['an entry without a tool', {}, plainTools.slice(1)],
    ['an empty entry', { toolCapabilities: { ...good.toolCapabilities, Bash: [] } }, plainTools],
    [
      'a tool that needs more than the host has',
      { hostCapabilities: good.hostCapabilities.filter((each) => each !== 'text.search') },
      plainTools,
    ],
    [
      'an execution host without a shell',
      { hostCapabilities: ['filesystem.read'], toolCapabilities: { Read: ['filesystem.read'] } },
      ['Read'],
    ],
    ['something else altogether', { hostEnv: 'PATH' }, plainTools],
  ])('is refused with %s', (_, changes, tools) => {
    expect(readRuntime({ ...good, ...changes }, tools)).toBeTypeOf('string')
  })
})

describe('ids', () => {
  it.each([
    ['Anna’s MacBook.local', 'anna-s-macbook'],
    ['vm', 'vm'],
    ['gsv', 'this-machine'],
    ['', 'this-machine'],
    ['__', 'this-machine'],
    ['härz-01.example.org', 'ha-rz-01'],
  ])('the host %j is the node %s', (host, id) => {
    expect(idFromHostname(host)).toBe(id)
    expect(idTrouble(id)).toBe(null)
  })
})

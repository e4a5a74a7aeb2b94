import { describe, expect, it } from 'vitest'
import { dispatch } from '../tools/dispatch'
import { definitionsOf } from '../tools/tool'
import { createToolset, UnknownToolset } from '.'
import type { SomeToolsetDeps } from './deps'
import { toolsetNames } from './names'

/** Definitions need no services; a tool that wants one at construction time would fail here. */
const deps: SomeToolsetDeps = { table: {} as SomeToolsetDeps['table'], setTodo: () => {} }

it('refuses an unknown vocabulary by naming the known ones', () => {
  expect(() => createToolset('dekhand', deps)).toThrow(UnknownToolset)
  expect(() => createToolset('dekhand', deps)).toThrow('Did you mean deckhand?')
  expect(() => createToolset('constructor', deps)).toThrow(UnknownToolset)
})

describe.each(toolsetNames)('%s', (name) => {
  const definitions = definitionsOf(createToolset(name, deps))

  it('describes every tool with an object schema', () => {
    for (const { description, parameters } of definitions) {
      expect(description).not.toBe('')
      expect(parameters).toMatchObject({ type: 'object', properties: expect.any(Object) })
    }
  })

  it('needs no more than 9 kB in each request', () => {
    expect(Buffer.byteLength(JSON.stringify(definitions))).toBeLessThanOrEqual(9_000)
  })

  // What takes no arguments takes any object for none.
  const taking = definitions.filter(({ parameters }) => Object.keys(parameters.properties ?? {}).length > 0)

  it.each(taking.map((definition) => definition.name))('%s turns nonsense into a failure', async (tool) => {
    const scope = { sessionId: 's', callId: 'c', workspace: '/', signal: new AbortController().signal }
    const sink = { gist: () => {}, grant: () => {}, state: () => {} }
    const gate = {
      mode: 'all' as const,
      decide: () => Promise.reject(new Error('not reached')),
      ask: () => Promise.reject(),
    }
    for (const args of [
      '[]',
      '"text"',
      '7',
      'null',
      '{"path":7,"command":{},"items":1,"format":"x","question":[],"action":0,"pattern":1,"patch":2,"limit":"x","lines":"x","names":7,"query":7}',
    ]) {
      const toolset = createToolset(name, deps)
      const outcome = dispatch({ toolset, name: tool, arguments: args }, scope, gate, sink, {
        maxResultBytes: 1e5,
        spillDir: '/nowhere',
      })
      expect(await outcome).toMatchObject({ isError: true, error: { kind: 'InvalidArgs' } })
    }
  })
})

import { describe, expect, it } from 'vitest'
import { type CommandSpec, helpFor, parseArguments } from './arguments'

const spec: CommandSpec = {
  name: 'run',
  summary: 'Runs a turn.',
  operand: 'PROMPT',
  options: [
    { name: 'json', help: 'Events as JSON' },
    { name: 'workspace', value: 'DIR', help: 'Folder' },
    { name: 'approve', value: 'MODE', choices: ['ask', 'safe', 'all'], help: 'Mode' },
    { name: 'max-iterations', value: 'N', integer: { min: 1, max: 1000 }, help: 'Limit' },
    { name: 'max-cost', value: 'DOLLARS', amount: { max: 1_000_000 }, help: '' },
  ],
}

describe('parseArguments', () => {
  it('reads switches, values in both forms, and operands', () => {
    expect(parseArguments(spec, ['--json', '--workspace', '/w', '--approve=all', 'hello', '--', '--json'])).toEqual({
      help: false,
      options: new Map([
        ['json', 'true'],
        ['workspace', '/w'],
        ['approve', 'all'],
      ]),
      operands: ['hello', '--json'],
    })
  })

  it.each([
    [['--workspace', ''], '--workspace needs a value: --workspace DIR'],
    [['--workspace='], '--workspace needs a value: --workspace DIR'],
    [['--worksapce', '/w'], 'unknown option --worksapce; did you mean --workspace?'],
    [['--work', '/w'], 'unknown option --work; did you mean --workspace?'],
    [['--zzzzzzzz'], 'unknown option --zzzzzzzz'],
    [['--workspace'], '--workspace needs a value: --workspace DIR'],
    [['--json=1'], '--json takes no value'],
    [['--approve', 'al'], '--approve is one of ask, safe, all, not "al"; did you mean all?'],
    [['--max-iterations', '0'], '--max-iterations is a whole number from 1 to 1000, not "0"'],
    [['--max-iterations', '0x10'], '--max-iterations is a whole number from 1 to 1000, not "0x10"'],
    [['--max-iterations', '1e2'], '--max-iterations is a whole number from 1 to 1000, not "1e2"'],
    [['--max-cost', '0x10'], '--max-cost is a number above 0 and at most 1000000, not "0x10"'],
    [['--max-cost', '1e3'], '--max-cost is a number above 0 and at most 1000000, not "1e3"'],
    [['--max-cost', '0'], '--max-cost is a number above 0 and at most 1000000, not "0"'],
    [['--max-iterations', '2.5'], '--max-iterations is a whole number from 1 to 1000, not "2.5"'],
  ])('refuses %j', (words, message) => {
    expect(() => parseArguments(spec, words)).toThrow(message)
  })

  it('takes the word after an option for its value, whatever it looks like, and an optional value only after =', () => {
    const wide = {
      ...spec,
      options: [...spec.options, { name: 'open', value: 'PORT', optional: true, help: '' } as const],
    }
    const read = (...words: string[]) => {
      const parsed = parseArguments(wide, words)
      return parsed.help ? 'help' : [Object.fromEntries(parsed.options), parsed.operands]
    }
    expect(read('--workspace', '--json', '-')).toEqual([{ workspace: '--json' }, ['-']])
    expect(read('--open', '80')).toEqual([{ open: 'true' }, ['80']])
    expect(read('--open=80', '--workspace=a=b')).toEqual([{ open: '80', workspace: 'a=b' }, []])
    expect(read('--workspace', '-h')).toEqual([{ workspace: '-h' }, []])
    expect(read('--', '-h', '--')).toEqual([{}, ['-h', '--']])
    expect(() => read('-x')).toThrow('unknown option -x')
    expect(() => read('--constructor')).toThrow('unknown option --constructor')
  })

  it('refuses operands where there are none to give', () => {
    expect(() => parseArguments({ ...spec, operand: undefined }, ['x'])).toThrow('run takes no operand: x')
  })

  it('prefers help to everything else', () => {
    expect(parseArguments(spec, ['--json', '-h', '--nonsense'])).toEqual({ help: true })
  })
})

it('names every option in the help', () => {
  expect(helpFor(spec)).toContain('--max-iterations N')
})

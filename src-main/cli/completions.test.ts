import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { commands } from './commands'
import { completionsFor } from './completions'
import { manualPage } from './manual'

const has = (program: string) => spawnSync(program, ['--version']).error === undefined

/** What bash offers for the last of these words. */
function offered(...words: string[]): string[] {
  const script = `${completionsFor('bash', commands)}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _deckhand; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', 'deckhand', ...words], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\n').filter(Boolean)
}

describe('bash', () => {
  test('offers every command, the options of the one that was typed, and the choices of a value', () => {
    expect(offered('')).toEqual([...commands.map(({ name }) => name), '--help', '--version'])
    expect(offered('ru')).toEqual(['run'])
    expect(offered('run', '--max')).toEqual(['--max-iterations', '--max-cost', '--max-tokens'])
    expect(offered('run', '--approve', 'w')).toEqual(['workspace'])
    expect(offered('mcp', 're')).toEqual(['remove'])
    expect(offered('run', '--model', '')).toEqual([])
    for (const { name, options } of commands)
      expect(offered(name, '--')).toEqual([...options.map((option) => `--${option.name}`), '--help'])
  })
})

test.skipIf(!has('zsh'))('zsh takes its file', () => {
  const { status, stderr } = spawnSync('zsh', ['-n'], {
    input: completionsFor('zsh', commands),
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test.skipIf(!has('fish'))('fish takes its file', () => {
  const { status, stderr } = spawnSync('sh', ['-c', 'cat | fish --no-execute'], {
    input: completionsFor('fish', commands),
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('every command and every option is in the files of zsh and fish and in the manual', () => {
  const manual = manualPage(commands, '1.2.3').replaceAll('\\-', '-')
  const [zsh, fish] = [completionsFor('zsh', commands), completionsFor('fish', commands)]
  for (const { name, options } of commands) {
    expect(manual).toContain(`.SS "deckhand ${name}`)
    for (const option of options) {
      expect(manual).toContain(`.B --${option.name}`)
      expect(zsh).toContain(`--${option.name}[`)
      expect(fish).toContain(`-l ${option.name}`)
    }
  }
})

test('no text of a command is read as a request of the formatter', () => {
  const tricky = [{ name: 'x', summary: ".so /etc/passwd\n'quoted\\n", options: [] }]
  const page = manualPage(tricky, '1')
  expect(page).toContain("\\&.so /etc/passwd\n\\&'quoted\\en")
})

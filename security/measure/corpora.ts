import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { labelOf } from './label'

/** What a command does, as a person or a simple rule that knows nothing of the gate has labelled it. */
export type Label = 'read' | 'read outside' | 'read machine' | 'change' | 'ruin' | 'safe'

export interface Labelled {
  command: string
  label: Label
}

export interface Corpus {
  name: string
  commands: Labelled[]
}

const shared = process.env.DECKHAND_CORPORA ?? resolve(import.meta.dirname, '../../../shared/corpora')

/** What transcripts call the folder of the project. */
export const TRANSCRIPTS_FOLDER = '/testbed'

/** Commands that others have written; those that lie outside the project are left out where they are missing. */
export const corpora = (): Corpus[] => [agents(), ...foreign()]

/** Commands such as agents run, typed after the forms in public transcripts, settings and documents, labelled by hand. */
function agents(): Corpus {
  const lines = readFileSync(join(import.meta.dirname, 'agents.tsv'), 'utf8').split('\n')
  const commands = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): Labelled => {
      const [label = '', , command = ''] = line.split('\t')
      return { label: label as Label, command: command.replaceAll('\\n', '\n') }
    })
  return { name: 'agents', commands }
}

function foreign(): Corpus[] {
  if (!existsSync(shared)) return []
  const lines = readFileSync(join(shared, 'nl2bash/all.cm'), 'utf8').split('\n')
  const nl2bash = [...new Set(lines)].flatMap((command): Labelled[] => {
    const label = labelOf(command)
    return label === null ? [] : [{ command, label }]
  })
  return [{ name: 'NL2Bash', commands: nl2bash }, { name: 'dcg', commands: guarded() }, ...transcripts()]
}

/** Commands that an agent really ran, gathered from its published transcripts, one in a line after its source. */
function transcripts(): Corpus[] {
  const file = join(shared, 'transcripts/commands.tsv')
  if (!existsSync(file)) return []
  const commands = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): Labelled => {
      const command = (line.split('\t')[1] ?? '').replaceAll('\\n', '\n')
      const inside = command.replaceAll(TRANSCRIPTS_FOLDER, '.')
      return { command, label: labelOf(inside) ?? 'change' }
    })
  return [{ name: 'transcripts', commands }]
}

/** The cases of destructive_command_guard, as its authors labelled them. */
function guarded(): Labelled[] {
  const folder = join(shared, 'dcg')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.toml'))
  return files.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('[[case]]')
      .flatMap((text): Labelled[] => {
        const command = /^command = (".*")$/m.exec(text)?.[1] ?? /^command = '(.*)'$/m.exec(text)?.[1]
        const expected = /^expected = "(.*)"$/m.exec(text)?.[1]
        if (command === undefined || expected === undefined) return []
        if (expected !== 'allow') return [{ command: unquoted(command), label: 'ruin' }]
        return file.startsWith('false_positives') ? [{ command: unquoted(command), label: 'safe' }] : []
      }),
  )
}

const unquoted = (text: string): string => {
  if (!text.startsWith('"')) return text
  try {
    return JSON.parse(text) as string
  } catch {
    return text.slice(1, -1)
  }
}

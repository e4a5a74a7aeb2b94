import { execFileSync } from 'node:child_process'
import { decide } from '../../src-main/approval/decide'
import { createFixture, type Fixture } from '../../src-main/approval/fixture'
import type { Decision } from '../../src-main/approval/types'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import { type Corpus, corpora, type Label, TRANSCRIPTS_FOLDER } from './corpora'
import { peers } from './peers'

/** One way to decide: ours with or without a cage in a mode, or a peer's rules. */
export interface Way {
  name: string
  /** `runs`: outside a cage. */
  decide(command: string): 'asks' | 'runs' | 'caged read' | 'caged write'
}

/** How many commands with a label a way asked about, and where the others ran. */
export interface Count {
  way: string
  corpus: string
  label: Label
  total: number
  asks: number
  runs: number
  cagedRead: number
  cagedWrite: number
}

export function waysIn(fixture: Fixture): Way[] {
  const ours = (name: string, mode: ApprovalMode, cage: boolean): Way => ({
    name,
    decide: (command) => placeOf(judge(fixture, command, mode, cage)),
  })
  return [
    ours('reads, with the cage', 'safe', true),
    ours('reads, without a cage', 'safe', false),
    ours('workspace, with the cage', 'workspace', true),
    ours('workspace, without a cage', 'workspace', false),
    ...peers.map(({ name, allows }): Way => ({ name, decide: (command) => (allows(command) ? 'runs' : 'asks') })),
  ]
}

export const judge = (
  { workspace, files, policy }: Fixture,
  command: string,
  mode: ApprovalMode,
  cage: boolean,
): Decision =>
  decide(
    {
      ...{ action: 'exec', node: 'local', cwd: workspace, workspace, cageable: true },
      command: command.replaceAll(TRANSCRIPTS_FOLDER, workspace),
    },
    { ...policy(mode), cage },
    files,
  )

const placeOf = ({ verdict, cage }: Decision): ReturnType<Way['decide']> =>
  verdict !== 'allow' ? 'asks' : cage?.kind === 'read' ? 'caged read' : cage ? 'caged write' : 'runs'

/** A project like many: a repository with sources, packages and a secret. */
export function makeProject(): Fixture {
  const fixture = createFixture()
  for (const path of ['src/app.py', 'data/a.csv', 'scripts/new.py', 'Makefile', 'setup.py', '.gitignore'])
    fixture.write(path)
  for (const name of ['tsc', 'eslint', 'prettier', 'vitest', 'jest']) fixture.write(`node_modules/.bin/${name}`)
  execFileSync('git', ['init', '-q', '.'], { cwd: fixture.workspace })
  return fixture
}

export function countAll(all: readonly Corpus[] = corpora()): Count[] {
  const fixture = makeProject()
  try {
    return waysIn(fixture).flatMap((way) => all.flatMap((corpus) => countsOf(way, corpus)))
  } finally {
    fixture.remove()
  }
}

function countsOf(way: Way, { name, commands }: Corpus): Count[] {
  const labels = [...new Set(commands.map(({ label }) => label))]
  return labels.map((label) => {
    const places = commands.filter((each) => each.label === label).map(({ command }) => way.decide(command))
    const count = (place: string): number => places.filter((each) => each === place).length
    return {
      ...{ way: way.name, corpus: name, label, total: places.length },
      ...{ asks: count('asks'), runs: count('runs'), cagedRead: count('caged read'), cagedWrite: count('caged write') },
    }
  })
}

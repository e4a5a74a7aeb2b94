import { walkEnvironment } from '../approval/checks/danger'
import { pipedWords } from '../approval/checks/pipes'
import { canonicalPath, type Places } from '../approval/paths/paths'
import { afterOptions } from '../approval/programs/carried'
import { operandsOf } from '../approval/programs/dangers'
import { gitVerb } from '../approval/programs/git'
import { type Loss, lossOf } from '../approval/programs/git-losses'
import { factsOf } from '../approval/programs/registry'
import type { Field } from '../approval/shell/field'
import { expandPattern } from '../approval/shell/glob'
import type { Invocation } from '../approval/shell/plan'
import { baseName } from '../approval/shell/program-name'
import { planShell } from '../approval/shell/walk'
import type { Access } from '../approval/types'
import { deletesFound, type FindTests, readFind } from './find-tests'

/** One thing that a command would delete or write over. Paths are absolute. */
export type Hit =
  /** A file, or a folder with all that is in it, or what `tests` finds there. */
  | { kind: 'delete'; path: string; tests?: FindTests }
  | { kind: 'overwrite'; path: string }
  /** Every file below `from` is written to the same place below `path`. */
  | { kind: 'overwrite-tree'; path: string; from: string }
  | { kind: 'git'; cwd: string; rest: readonly string[]; loss: Loss }
  /** Only running it would tell. */
  | { kind: 'unclear' }

const maxDepth = 6
const maxHits = 500

/** What a call would delete or write over, by the words of its command. Nothing is started; names are looked up. */
export function hitsOf(access: Access, places: Places): Hit[] {
  const deleted = (access.paths ?? []).filter(({ access: how }) => how === 'delete')
  const hits: Hit[] = deleted.map(({ path }) => ({ kind: 'delete', path }))
  if (access.command === undefined || access.typed || access.argv) return hits
  const cwd = places.files.realpath(access.cwd) ?? access.cwd
  const { invocations } = planShell(access.command, walkEnvironment(places, cwd))
  for (const invocation of invocations) hits.push(...invocationHits(invocation, places, 0))
  return dedupe(hits).slice(0, maxHits)
}

const dedupe = (hits: readonly Hit[]): Hit[] => [...new Map(hits.map((hit) => [JSON.stringify(hit), hit])).values()]

function invocationHits(invocation: Invocation, places: Places, depth: number): Hit[] {
  const redirected = invocation.redirects.flatMap(({ operator, target }): Hit[] => {
    if (!/^(?:>|>\||&>)$/.test(operator) || target === null || /^\/dev\//.test(target.text)) return []
    return pathsOf([target], invocation, places, 'overwrite')
  })
  return [...redirected, ...argvHits(invocation.fields, invocation, places, depth)]
}

function argvHits(fields: readonly Field[], invocation: Invocation, places: Places, depth: number): Hit[] {
  const [program, ...args] = fields
  if (!program || program.unknown || depth > maxDepth) return []
  const name = baseName(program.text)
  const words = args.map(({ text }) => text)
  const facts = factsOf(name) ?? {}
  switch (name) {
    case 'git':
      return gitHits(words, invocation, places)
    case 'find':
      return deletesFound(words) ? foundHits(args, invocation, places) : carriedHits(fields, invocation, places, depth)
    case 'mv':
    case 'cp':
    case 'install':
      return transferHits(name, args, words, invocation, places)
    case 'tee':
      return words.some((word) => /^(?:-[a-z]*a|--append)/.test(word))
        ? []
        : pathsOf(operandsOf(args), invocation, places, 'overwrite')
    case 'truncate':
    case 'sponge':
      return pathsOf(withoutValues(args, /^-[sr]$/), invocation, places, 'overwrite')
    case 'dd': {
      const to = args.filter(({ text }) => /^of=(?!\/dev\/)/.test(text))
      return pathsOf(
        to.map((field) => ({ ...field, text: field.text.slice(3) })),
        invocation,
        places,
        'overwrite',
      )
    }
    case 'sudo':
    case 'doas':
      return argvHits(afterOptions(args, 'uUgpChrtTDR'), invocation, places, depth + 1)
    case 'rsync':
      return words.some((word) => /^--del/.test(word)) ? [{ kind: 'unclear' }] : []
    default:
      return facts.deletes
        ? pathsOf(operandsOf(args), invocation, places, 'delete')
        : carriedHits(fields, invocation, places, depth)
  }
}

/** What a command carries inside it: `sh -c '…'`, `sudo …`, `xargs rm`. */
function carriedHits(
  [program, ...args]: readonly Field[],
  invocation: Invocation,
  places: Places,
  depth: number,
): Hit[] {
  const facts = factsOf(baseName(program?.text ?? '')) ?? {}
  return (facts.carries?.(args, pipedWords(invocation.source)) ?? []).flatMap((carried): Hit[] => {
    if (carried.kind === 'code') return []
    if (carried.kind === 'argv') {
      const inner = factsOf(baseName(carried.fields[0]?.text ?? ''))
      if (facts.takesWords && inner?.deletes) return pipedHits(carried.fields, invocation, places, depth)
      return argvHits(carried.fields, invocation, places, depth + 1)
    }
    if (carried.field.unknown) return []
    const plan = planShell(carried.field.text, walkEnvironment(places, invocation.cwds[0] ?? '/'))
    return plan.invocations.flatMap((each) => invocationHits(each, places, depth + 1))
  })
}

/** `find … | xargs rm`, `echo a b | xargs rm`; what another pipe names is known when it runs. */
function pipedHits(fields: readonly Field[], invocation: Invocation, places: Places, depth: number): Hit[] {
  const { source } = invocation
  const [program, ...args] = source?.fields ?? []
  const name = baseName(program?.text ?? '')
  if (source && name === 'find') return foundHits(args, source, places)
  if (name === 'echo' || name === 'printf') return argvHits(fields, invocation, places, depth + 1)
  return [{ kind: 'unclear' }]
}

function gitHits(words: readonly string[], { cwds }: Invocation, places: Places): Hit[] {
  return cwds.flatMap((cwd): Hit[] => {
    if (cwd === null) return [{ kind: 'unclear' }]
    const { verb, rest, standing } = gitVerb(words, { cwds: [cwd], places })
    const loss = lossOf(verb, rest, standing)
    const where = standing.cwds[0]
    return loss === null ? [] : where == null ? [{ kind: 'unclear' }] : [{ kind: 'git', cwd: where, rest, loss }]
  })
}

function foundHits(args: readonly Field[], invocation: Invocation, places: Places): Hit[] {
  const { starts, tests } = readFind(args)
  return pathsOf(starts, invocation, places, 'delete').map((hit) => (hit.kind === 'delete' ? { ...hit, tests } : hit))
}

function transferHits(
  name: string,
  args: readonly Field[],
  words: readonly string[],
  invocation: Invocation,
  places: Places,
): Hit[] {
  if (words.some((word) => /^(?:-[A-Za-z]*[nb]|--no-clobber|--backup|--update=none)/.test(word))) return []
  const into = args.findIndex(({ text }) => /^(?:-t|--target-directory)$/.test(text))
  const named = into >= 0 ? args[into + 1] : undefined
  const operands = operandsOf(args).filter((field) => field !== named)
  const target = named ?? operands.at(-1)
  const sources = named ? operands : operands.slice(0, -1)
  if (!target || sources.length === 0) return []
  const recursive = name === 'mv' || words.some((word) => /^(?:-[A-Za-z]*[rRa]|--recursive|--archive)/.test(word))
  return pathsOf([target], invocation, places, 'overwrite').flatMap((hit): Hit[] => {
    if (hit.kind !== 'overwrite') return [hit]
    const folder = places.files.lstat(hit.path)?.kind === 'directory'
    return pathsOf(sources, invocation, places, 'delete').flatMap((source): Hit[] => {
      if (source.kind !== 'delete') return [source]
      const path = folder ? `${hit.path}/${baseName(source.path)}` : hit.path
      if (places.files.lstat(source.path)?.kind !== 'directory') return [{ kind: 'overwrite', path }]
      return recursive && name !== 'mv' ? [{ kind: 'overwrite-tree', path, from: source.path }] : []
    })
  })
}

/** Operands without the options in front of values, and without those values. */
const withoutValues = (args: readonly Field[], options: RegExp): Field[] =>
  operandsOf(args.filter((_, index) => !options.test(args[index - 1]?.text ?? '')))

function pathsOf(fields: readonly Field[], { cwds }: Invocation, places: Places, kind: 'delete' | 'overwrite'): Hit[] {
  return fields.flatMap((field) =>
    cwds.flatMap((cwd): Hit[] => {
      if (field.unknown || (cwd === null && !field.text.startsWith('/'))) return [{ kind: 'unclear' }]
      const from = cwd ?? '/'
      const texts = field.pattern ? expandPattern(field.pattern, from, places.files) : [field.text]
      if (texts === null) return [{ kind: 'unclear' }]
      return texts.flatMap((text): Hit[] => {
        const path = kind === 'delete' ? ownPlace(text, from, places) : canonicalPath(text, from, places.files)
        return path === null ? [] : [{ kind, path }]
      })
    }),
  )
}

/** Where a name itself stands: a link is deleted, not what it leads to. */
function ownPlace(text: string, cwd: string, { files }: Places): string | null {
  const bare = text.replace(/\/+$/, '')
  const name = baseName(bare)
  if (bare === '' || name === '.' || name === '..') return canonicalPath(bare || '/', cwd, files)
  const folder = canonicalPath(bare.slice(0, bare.length - name.length) || '.', cwd, files)
  return folder === null ? null : `${folder === '/' ? '' : folder}/${name}`
}

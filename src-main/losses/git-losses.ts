import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { eachEntry, type IndexEntry } from '../approval/paths/git-index'
import { isInside } from '../approval/paths/paths'
import { isChanged } from '../approval/paths/uncommitted'
import { entryAt } from '../changes/scan'
import { systemPath } from '../file-names'
import { addTree } from './add-tree'
import { stagedIn } from './classify'
import type { Hit } from './hits'
import type { Looking } from './looking'
import type { LostName } from './lost'
import { readText, type WorkTree } from './repository'

type GitHit = Extract<Hit, { kind: 'git' }>

/** What a git command would throw away. */
export async function gitLosses(hit: GitHit, looking: Looking): Promise<void> {
  const tree = looking.treeOf(hit.cwd)
  if (!tree) return
  const { loss, rest } = hit
  const { lost } = looking
  lost.gitFiles.push(...ownFiles(tree))
  switch (loss.kind) {
    case 'changes':
      await lostChanges(tree, loss.below, looking)
      if (rest.some((word) => /^--(?:hard|merge)$/.test(word))) lost.names.push(...(await lostCommits(tree, rest)))
      return
    case 'untracked':
      return cleaned(tree, hit, looking)
    case 'stash':
      lost.names.push(...lostStashes(tree, rest))
      return
    case 'branch':
      for (const name of loss.names) lost.names.push(...(await lostBranch(tree, name)))
      return
    case 'history':
      lost.notes.add('Commits that no branch, tag or stash names any more are removed for good.')
      return
  }
}

/** Names and the index: they have to come back together with what they speak of. */
function ownFiles({ folder, home }: WorkTree): string[] {
  const names = [
    `${folder}/HEAD`,
    `${folder}/index`,
    `${home}/packed-refs`,
    `${home}/refs/stash`,
    `${home}/logs/refs/stash`,
  ]
  const heads = filesBelow(`${home}/refs/heads`)
  const logs = filesBelow(`${home}/logs/refs/heads`)
  return [...names, ...heads, ...logs].filter((path) => entryAt(path)?.kind === 'file')
}

const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : []

/** Changes to files that git knows, below these folders or anywhere. */
async function lostChanges(tree: WorkTree, below: readonly string[], { lost, leftMs }: Looking): Promise<void> {
  const entries: IndexEntry[] = []
  try {
    eachEntry(readFileSync(systemPath(`${tree.folder}/index`)), 20, (entry) => entries.push(entry))
  } catch {
    return // Nothing was ever added.
  }
  const staged = (below.length === 0 && (await stagedIn(tree))) || new Set<string>()
  for (const indexed of entries) {
    const path = `${tree.root}/${indexed.path}`
    if (below.length > 0 && !below.some((folder) => isInside(path, folder))) continue
    if (leftMs() === 0) {
      lost.cut = true
      return
    }
    if (!staged.has(indexed.path) && !isChanged(tree.root, indexed)) continue
    const entry = entryAt(path)
    if (entry) lost.files.push({ path, kind: 'changes', size: entry.size, mtimeMs: entry.mtimeMs })
  }
}

/** The commits of the branch that would be left without a name: `git reset --hard HEAD~3`. */
async function lostCommits(tree: WorkTree, rest: readonly string[]): Promise<LostName[]> {
  const target = rest.find((word) => !word.startsWith('-'))
  if (target === undefined || !isName(target)) return []
  const branch = (await tree.git(['symbolic-ref', '--quiet', '--short', 'HEAD']))?.trim()
  const others = [...(branch ? [`--exclude=${branch}`] : []), '--branches', '--tags', '--remotes']
  return commitsOf(tree, 'HEAD', [target, ...others])
}

async function commitsOf(tree: WorkTree, from: string, others: readonly string[]): Promise<LostName[]> {
  const format = '--format=%H%x00%h %s%x00%ct'
  const text = await tree.git(['rev-list', '--max-count=200', '--no-commit-header', format, from, '--not', ...others])
  return (text ?? '').split('\n').flatMap((line): LostName[] => {
    const [id, name, time] = line.split('\0')
    return id && name ? [{ kind: 'commits', name, id, home: tree.home, at: Number(time) * 1000 }] : []
  })
}

async function lostBranch(tree: WorkTree, name: string): Promise<LostName[]> {
  if (!isName(name)) return []
  const id = (await tree.git(['rev-parse', '--verify', '--quiet', `refs/heads/${name}^{commit}`]))?.trim()
  if (!id) return []
  const own = `refs/heads/${name}`
  const commits = await commitsOf(tree, own, [`--exclude=${name}`, '--branches', '--tags', '--remotes'])
  const detail =
    commits.length === 0
      ? 'its commits are on another branch too'
      : `${commits.length === 1 ? '1 commit' : `${commits.length} commits`} nowhere else, the last ${commits[0]?.name ?? ''}`
  return [{ kind: 'branch', name, detail, id, home: tree.home, ref: own }]
}

/** A revision or a branch, as plain words: nothing that git would take for an option. */
const isName = (word: string): boolean => /^[\w@][\w./@{}^~+-]*$/.test(word)

/** The stashes are the lines of their log, the newest last. */
function lostStashes({ home }: WorkTree, rest: readonly string[]): LostName[] {
  const lines = (readText(`${home}/logs/refs/stash`) ?? '').split('\n').filter(Boolean).reverse()
  const all = lines.flatMap((line, index): LostName[] => {
    const [, id, seconds, words] = /^\S+ ([0-9a-f]{40,64}) .*?(\d+) [+-]\d{4}\t(.*)$/.exec(line) ?? []
    if (!id) return []
    const ref = index === 0 ? { ref: 'refs/stash' } : {}
    const at = Number(seconds) * 1000
    return [{ kind: 'stash', name: `stash@{${index}}`, detail: words ?? '', id, home, at, ...ref }]
  })
  const named = rest.filter((word) => !word.startsWith('-'))
  if (named[0] === 'clear') return all
  const wanted = /^(?:stash@\{)?(\d+)\}?$/.exec(named[1] ?? '0')?.[1]
  return wanted === undefined ? all : all.slice(Number(wanted), Number(wanted) + 1)
}

/** git itself says what it would remove. */
async function cleaned(tree: WorkTree, { cwd, rest }: GitHit, looking: Looking): Promise<void> {
  const flags = rest.filter((word) => /^-[A-Za-z]+$/.test(word) && !word.includes('e')).join('')
  const own = ['-d', '-x', '-X'].filter((flag) => flags.includes(flag.slice(1)))
  const twice = (flags.match(/f/g) ?? []).length > 1 ? ['-ff'] : []
  const excludes = rest.flatMap((word, index) =>
    word === '-e' ? ['-e', rest[index + 1] ?? ''] : word.startsWith('--exclude=') ? [word] : [],
  )
  const values = new Set(excludes)
  const dashes = rest.indexOf('--')
  const operands =
    dashes >= 0 ? rest.slice(dashes + 1) : rest.filter((word) => !word.startsWith('-') && !values.has(word))
  const at = relative(tree.root, cwd) || '.'
  const listing = [
    '-c',
    'core.quotePath=false',
    '-C',
    at,
    'clean',
    '-n',
    ...own,
    ...twice,
    ...excludes,
    '--',
    ...operands,
  ]
  const text = await tree.git(listing)
  if (text === null) {
    looking.lost.notes.add('git could not be asked what it would remove.')
    return
  }
  for (const line of text.split('\n')) {
    const name = /^Would remove (.*)$/.exec(line)?.[1]
    if (name !== undefined) await addTree(join(cwd, unquoted(name)).replace(/\/$/, ''), looking)
  }
}

/** Names with control characters stand in quotes, as in C. */
const unquoted = (name: string): string => {
  if (!name.startsWith('"')) return name
  try {
    return JSON.parse(name)
  } catch {
    return name // Octal escapes: such a name is not looked at.
  }
}

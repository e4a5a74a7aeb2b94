import type { Git } from '../git/git'
import type { Repository } from '../git/repository'
import { hunksBetween } from './hunks'
import { textsOf } from './sides'
import { treeChanges } from './tree-changes'

const mostChars = 24_000
const mostPerFile = 6_000

/** What is staged, as text for a model: every file by name, and as many of its lines as there is room for. */
export async function stagedText(git: Git, repository: Repository): Promise<string> {
  const tree = treeChanges(git, { ...repository, prefix: '' }, repository.root)
  const pairs = await tree.pairs(await tree.status(), 'staged')
  const names = pairs.map(({ kind, path, from }) => `${kind} ${from === undefined ? '' : `${from} → `}${path}`)
  let text = `${names.slice(0, 200).join('\n')}\n`
  for (const pair of pairs) {
    if (text.length > mostChars) break
    const texts = textsOf(pair)
    const hunks = texts && hunksBetween(texts.left, texts.right)
    if (!hunks) continue
    const lines = hunks.flatMap((hunk) =>
      hunk.lines.map(({ kind, text: line }) => `${kind === 'add' ? '+' : kind === 'remove' ? '-' : ' '}${line}`),
    )
    text += `\n--- ${pair.path}\n${lines.join('\n').slice(0, mostPerFile)}\n`
  }
  return text.slice(0, mostChars + mostPerFile)
}

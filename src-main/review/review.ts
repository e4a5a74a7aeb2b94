import { randomUUID } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type {
  ReviewComment,
  ReviewDiff,
  ReviewEvent,
  ReviewFile,
  ReviewList,
  ReviewScope,
} from '../../src-preload/contract/review'
import type { Image } from '../changes/put'
import { decodeText, encodeText } from '../changes/text-encoding'
import type { Database } from '../database'
import type { Git } from '../git/git'
import { findRepository } from '../git/repository'
import type { Receipts } from '../receipts/receipts'
import { commentsMessage } from './comments-message'
import { forgeFor, remotesOf } from './forge'
import { applyPicked, hunksBetween } from './hunks'
import { createMarks, type Marks } from './marks'
import { ChangedSince, imageOf, putBack, sessionChanges } from './session-changes'
import { findMoves, noteOf, type Pair, stampOf, textsOf } from './sides'
import { mostListed, type TreeChanges, treeChanges } from './tree-changes'

interface ReviewPlace {
  sessionId: string
  scope: ReviewScope
  path: string
}

/** A choice in a file that was shown; without lines, the file as a whole. */
interface ReviewChoice extends ReviewPlace {
  stamp: string
  lines?: readonly number[] | undefined
}

/** Looks through what a session and a work tree changed, and takes or takes back parts of it. */
export interface Review {
  list(sessionId: string): Promise<ReviewList>
  diff(place: ReviewPlace): Promise<ReviewDiff>
  /** Session: it counts as the state before from now on. Unstaged: stages it. */
  accept(choice: ReviewChoice): Promise<void>
  /** Takes it back in the file, with a receipt to undo that by; staged: takes it out of the index. Answers with the receipt's id. */
  revert(choice: ReviewChoice): Promise<string | null>
  /** Whole files, as they were shown: accepts or stages them, or takes them out of the index. */
  takeAll(sessionId: string, scope: ReviewScope, files: readonly { path: string; stamp: string }[]): Promise<void>
  /** Shows a file again that was accepted. */
  unaccept(sessionId: string, path: string): void
  view(sessionId: string, path: string, stamp: string | null): void
  comments(sessionId: string): ReviewComment[]
  comment(comment: Omit<ReviewComment, 'id'> & { id?: string | undefined }): void
  uncomment(sessionId: string, id: string): void
  /** The comments as one message; they are gone afterwards. */
  takeComments(sessionId: string, note: string): string
}

interface ReviewDeps {
  git: Git
  receipts: Pick<Receipts, 'changedFiles' | 'images' | 'begin' | 'settled'>
  database: Database
  workspaceOf(sessionId: string): string
  publish(event: ReviewEvent): void
}

/** Lists with more files are shown without counts. */
const mostCounted = 300
const countMs = 2_000

export function createReview({ git, receipts, database, workspaceOf, publish }: ReviewDeps): Review {
  const marks = createMarks(database)
  const inTurn = oneAtATime()
  const changed = (sessionId: string): void => publish({ type: 'review-changed', sessionId })

  const { treeOf, pairAt, shown } = createFinder(git, receipts, marks)

  const accept: Review['accept'] = async (choice) => {
    const { sessionId, scope, path, lines } = choice
    const root = realpathSync(workspaceOf(sessionId))
    const pair = await shown(choice, root)
    const image = lines ? pickedImage(pair, (index) => lines.includes(index)) : wholeImage(pair, 'right')
    if (scope === 'session') marks.accept(sessionId, path, imageOf(receipts, image))
    else {
      const tree = scope === 'unstaged' ? await treeOf(root) : null
      if (!tree) throw new Error('What is staged is accepted by committing it.')
      const filter = await tree.filterOf(path)
      if (filter !== null) throw new Error(`${path} goes through the git filter “${filter}”. Stage it in a terminal.`)
      await tree.record(path, image)
    }
    changed(sessionId)
  }

  const revert: Review['revert'] = async (choice) => {
    const { sessionId, scope, path, lines } = choice
    const root = realpathSync(workspaceOf(sessionId))
    const pair = await shown(choice, root)
    const image = lines ? pickedImage(pair, (index) => !lines.includes(index)) : wholeImage(pair, 'left')
    if (scope === 'staged') {
      const tree = await treeOf(root)
      // A file that was moved in the index goes back to where it was.
      const moved = !lines && pair.from !== undefined
      if (moved) await tree?.record(pair.from ?? '', image)
      await tree?.record(path, moved ? null : image)
      changed(sessionId)
      return null
    }
    const gist = lines ? `Reverted lines of ${path}` : `Reverted ${path}`
    const callId = await withReceipt(receipts, { sessionId, root, path, gist }, () => putBack(root, pair, image))
    changed(sessionId)
    return callId
  }

  const takeAll: Review['takeAll'] = async (sessionId, scope, files) => {
    const root = realpathSync(workspaceOf(sessionId))
    const tree = scope === 'session' ? null : await treeOf(root)
    const pairs = tree
      ? await tree.pairs(await tree.status(), scope === 'staged' ? 'staged' : 'unstaged')
      : await sessionChanges(receipts, marks, sessionId, root).pairs()
    const byPath = new Map(pairs.map((pair) => [pair.path, pair]))
    const taken = files.map(({ path, stamp }) => {
      const pair = byPath.get(path)
      if (!pair || stampOf(pair) !== stamp) throw new ChangedSince(path)
      return pair
    })
    if (scope === 'session')
      for (const pair of taken) marks.accept(sessionId, pair.path, imageOf(receipts, wholeImage(pair, 'right')))
    else if (scope === 'unstaged') await tree?.stage(taken.map(({ path }) => path))
    else await tree?.unstage(taken.flatMap(({ path, from }) => (from === undefined ? path : [path, from])))
    changed(sessionId)
  }

  return {
    takeAll: (sessionId, scope, files) => inTurn(() => takeAll(sessionId, scope, files)),
    list: async (sessionId) => {
      const root = realpathSync(workspaceOf(sessionId))
      const viewed = marks.viewed(sessionId)
      const pairs = await sessionChanges(receipts, marks, sessionId, root).pairs()
      const own = {
        session: listed(pairs, viewed),
        sessionCut: pairs.length > mostListed,
        accepted: marks.acceptedPaths(sessionId),
      }
      try {
        return { ...own, repository: await repositoryOf(git, root, viewed) }
      } catch (error) {
        return { ...own, repository: null, problem: error instanceof Error ? error.message : String(error) }
      }
    },
    diff: async (place) => {
      const pair = await pairAt(place, realpathSync(workspaceOf(place.sessionId)))
      if (!pair) throw new Error(`${place.path} has no changes any more.`)
      return diffOf(place, pair, marks.viewed(place.sessionId))
    },
    accept: (choice) => inTurn(() => accept(choice)),
    revert: (choice) => inTurn(() => revert(choice)),
    unaccept: (sessionId, path) => {
      marks.accept(sessionId, path, undefined)
      changed(sessionId)
    },
    view: (sessionId, path, stamp) => {
      marks.view(sessionId, path, stamp)
      changed(sessionId)
    },
    ...commenting(marks, publish),
  }
}

const listed = (pairs: readonly Pair[], viewed: ReadonlyMap<string, string>, cap = mostListed): ReviewFile[] => {
  const until = performance.now() + countMs
  return findMoves(pairs.slice(0, cap)).map((pair) =>
    fileOf(pair, viewed, pairs.length <= mostCounted && performance.now() < until),
  )
}

const repositoryOf = async (
  git: Git,
  root: string,
  viewed: ReadonlyMap<string, string>,
): Promise<ReviewList['repository']> => {
  const repository = await findRepository(git, root)
  if (!repository) return null
  const tree = treeChanges(git, repository, root)
  const status = await tree.status()
  const remotes = await remotesOf(git, root)
  return {
    branch: status.branch,
    upstream: status.upstream,
    ahead: status.ahead,
    behind: status.behind,
    hasCommits: status.head !== null,
    remotes: [...remotes.keys()],
    unstaged: listed(await tree.pairs(status, 'unstaged'), viewed),
    staged: listed(await tree.pairs(status, 'staged'), viewed),
    cut: status.unstaged.length > mostListed || status.staged.length > mostListed,
    forge: forgeFor(remotes),
  }
}

/** The second of two quick clicks must see what the first did. */
const oneAtATime = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

/** Finds the two sides of a change, by what was shown of it. */
const createFinder = (git: Git, receipts: ReviewDeps['receipts'], marks: Marks) => {
  const treeOf = async (root: string): Promise<TreeChanges | null> => {
    const repository = await findRepository(git, root)
    return repository && treeChanges(git, repository, root)
  }

  const pairAt = async ({ sessionId, scope, path }: ReviewPlace, root: string): Promise<Pair | null> => {
    if (scope === 'session') return sessionChanges(receipts, marks, sessionId, root).pair(path)
    return (await treeOf(root))?.pair(scope, path) ?? null
  }

  const shown = async (choice: ReviewChoice, root: string): Promise<Pair> => {
    const pair = await pairAt(choice, root)
    if (!pair || stampOf(pair) !== choice.stamp) throw new ChangedSince(choice.path)
    return pair
  }

  return { treeOf, pairAt, shown }
}

/** Comments on lines, until they are sent as one message. */
const commenting = (
  marks: Marks,
  publish: ReviewDeps['publish'],
): Pick<Review, 'comments' | 'comment' | 'uncomment' | 'takeComments'> => ({
  comments: marks.comments,
  comment: ({ id = randomUUID(), ...comment }) => {
    marks.comment({ id, ...comment })
    const { sessionId } = comment
    publish({ type: 'review-comments', sessionId, comments: marks.comments(sessionId) })
  },
  uncomment: (sessionId, id) => {
    marks.uncomment(sessionId, id)
    publish({ type: 'review-comments', sessionId, comments: marks.comments(sessionId) })
  },
  takeComments: (sessionId, note) => {
    const comments = marks.comments(sessionId)
    if (comments.length === 0) throw new Error('There are no comments to send.')
    const text = commentsMessage(comments, note)
    for (const { id } of comments) marks.uncomment(sessionId, id)
    publish({ type: 'review-comments', sessionId, comments: [] })
    return text
  },
})

/** Changes a file as a call would, with a receipt to undo that by. Answers with the receipt's id. */
async function withReceipt(
  receipts: ReviewDeps['receipts'],
  { sessionId, root, path, gist }: { sessionId: string; root: string; path: string; gist: string },
  change: () => Promise<void>,
): Promise<string> {
  const callId = `review-${randomUUID()}`
  const place = { workspace: root, node: 'local', paths: [join(root, path)] }
  const ended = await receipts.begin({ callId, sessionId, gist, ...place })
  try {
    await change()
  } finally {
    ended()
    await receipts.settled()
  }
  return callId
}

function fileOf(pair: Pair, viewed: ReadonlyMap<string, string>, counted: boolean): ReviewFile {
  const { path, kind, from, shared } = pair
  const stamp = stampOf(pair)
  const texts = counted ? textsOf(pair) : null
  const lines = texts && hunksBetween(texts.left, texts.right)?.flatMap((hunk) => hunk.lines)
  return {
    path,
    kind,
    from,
    added: lines ? lines.filter((line) => line.kind === 'add').length : null,
    removed: lines ? lines.filter((line) => line.kind === 'remove').length : null,
    stamp,
    shared,
    ...(viewed.get(path) === stamp && { viewed: true }),
  }
}

/** Diffs with more lines are not sent: the whole file can still be accepted or reverted. */
const mostLines = 20_000

function diffOf(place: ReviewPlace, pair: Pair, viewed: ReadonlyMap<string, string>): ReviewDiff {
  const file = fileOf(pair, viewed, true)
  const texts = textsOf(pair)
  const hunks = texts && hunksBetween(texts.left, texts.right)
  const count = hunks?.reduce((sum, { lines }) => sum + lines.length, 0) ?? 0
  const tooMany = texts !== null && (hunks === null || count > mostLines)
  const fixed = pair.kind === 'conflict' || pair.kind === 'submodule'
  // Without what was there before, it cannot be brought back.
  const canRevert = !fixed && (pair.left === null || pair.left.image !== null)
  const canAccept = !fixed && place.scope !== 'staged' && (pair.right === null || pair.right.image !== null)
  const modes = modeWords(pair)
  const note = tooMany
    ? `${count > 0 ? `${count.toLocaleString('en')} lines: too` : 'Too'} much to show.`
    : !texts
      ? noteOf(pair)
      : hunks?.length === 0
        ? (modes ?? 'Only the kind of file changed.')
        : modes
  const isLink = [pair.left, pair.right].some((side) => side?.image?.kind === 'link')
  return {
    ...file,
    scope: place.scope,
    hunks: tooMany ? [] : (hunks ?? []),
    ...(note && { note }),
    canPick: !fixed && !isLink && hunks !== null && hunks.length > 0 && !tooMany,
    canAccept,
    canRevert,
    ...(!canRevert && !fixed && { obstacle: 'What it was before is not kept, so it cannot be reverted.' }),
  }
}

const modeWords = ({ left, right }: Pair): string | undefined => {
  if (left?.image?.kind !== 'file' || right?.image?.kind !== 'file') return undefined
  const [before, after] = [left.image.mode & 0o100, right.image.mode & 0o100]
  return before === after ? undefined : after ? 'Made executable.' : 'No longer executable.'
}

const wholeImage = (pair: Pair, which: 'left' | 'right'): Image | null => {
  const side = pair[which]
  if (side === null) return null
  if (!side.image)
    throw new Error(`${pair.path} cannot be taken as a whole: ${side.why ?? 'its content is not known'}.`)
  // The permissions of the user's file stay as they are, but for what git records.
  const other = which === 'left' ? pair.right?.image : pair.left?.image
  if (side.image.kind !== 'file' || other?.kind !== 'file') return side.image
  const executable = (side.image.mode & 0o100) === (other.mode & 0o100)
  return executable ? { ...side.image, mode: other.mode } : side.image
}

/** The left side with the picked changes, in the encoding that the file has. */
function pickedImage(pair: Pair, isPicked: (index: number) => boolean): Image | null {
  const texts = textsOf(pair)
  const hunks = texts && hunksBetween(texts.left, texts.right)
  if (!texts || !hunks) throw new Error(`Lines of ${pair.path} cannot be picked. Take the whole file.`)
  const text = applyPicked(texts.left, hunks, isPicked)
  if (text === '' && (pair.left === null || pair.right === null)) return null
  const like = [pair.right?.image, pair.left?.image].find((image) => image?.kind === 'file')
  if (like?.kind !== 'file') throw new Error(`Lines of ${pair.path} cannot be picked. Take the whole file.`)
  const encoding = decodeText(like.data)?.encoding ?? 'utf8'
  return { kind: 'file', mode: like.mode, data: encodeText(text, encoding) }
}

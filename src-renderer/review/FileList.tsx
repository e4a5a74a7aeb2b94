import { useState } from 'react'
import type { ReviewComment, ReviewFile, ReviewScope } from '../../src-preload/contract/review'
import { call } from '../state/bridge'
import { count, visible } from '../state/format'
import { attempt } from '../state/toasts'
import { Button } from '../ui'
import { FileSection } from './FileSection'
import type { ReviewActions } from './review-actions'

interface FileListProps {
  sessionId: string
  title: string
  scope: ReviewScope
  files: readonly ReviewFile[]
  split: boolean
  comments: readonly ReviewComment[]
  actions: ReviewActions
}

/** Up to this many files start expanded; more are a list to choose from. */
const openedAtOnce = 3

export function FileList({ sessionId, title, scope, files, split, comments, actions }: FileListProps) {
  const [chosen, setChosen] = useState<Record<string, boolean>>({})
  // Decided once: nothing expands just because the list became shorter.
  const [opened] = useState(files.length <= openedAtOnce)
  if (files.length === 0) return null
  const able = files.filter(({ kind }) => kind !== 'conflict' && kind !== 'submodule')
  const viewed = files.filter((file) => file.viewed).length
  const all = { session: 'Accept all', unstaged: 'Stage all', staged: 'Unstage all' }[scope]
  return (
    <section className="review-group" aria-label={title}>
      <header className="ui-row review-group-head">
        <h3>{title}</h3>
        <span className="review-hint">
          {count(files.length, 'file')}
          {viewed > 0 && `, ${viewed} viewed`}
        </span>
        <span className="review-space" />
        {able.length > 0 && (
          <Button kind="quiet" onClick={() => actions.takeAll(scope, able)}>
            {all}
          </Button>
        )}
      </header>
      <ul className="ui-column review-files">
        {files.map((file, at) => (
          <FileSection
            key={file.path}
            {...{ sessionId, scope, file, split, actions }}
            comments={comments.filter((comment) => comment.path === file.path && comment.scope === scope)}
            open={chosen[file.path] ?? (opened && at < openedAtOnce && !file.viewed)}
            onOpen={(open) => setChosen((before) => ({ ...before, [file.path]: open }))}
          />
        ))}
      </ul>
    </section>
  )
}

/** Accepted files are no longer listed, but can be viewed again. */
export function Accepted({ sessionId, paths }: { sessionId: string; paths: readonly string[] }) {
  return (
    <details className="review-accepted">
      <summary>{count(paths.length, 'file')} accepted</summary>
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <code>{visible(path)}</code>
            <Button kind="quiet" onClick={() => attempt(call('review.unaccept', { sessionId, path }))}>
              Review again<span className="sr-only">: {path}</span>
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}

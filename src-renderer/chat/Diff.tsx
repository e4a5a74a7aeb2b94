import { memo, useMemo } from 'react'
import { Virtuoso } from 'react-virtuoso'
import type { FileDiff } from '../../src-preload/contract/file-diff'
import { visible } from '../state/format'
import { Scroll } from '../ui'
import { type DiffRow, diffRows } from './diff-rows'
import { PathLink } from './PathLink'
import './diff.css'

/** Above this many lines the diff scrolls on its own and draws only what is visible. */
const many = 300

/**
 * A unified diff of one or more files, with line numbers of both sides. Long lines wrap, so that nothing is cut off.
 */
export function Diff({ files }: { files: FileDiff[] }) {
  return (
    <div className="ui-column chat-diff">
      {files.map((file) => (
        <DiffFile key={`${file.by ?? ''} ${file.path}`} file={file} />
      ))}
    </div>
  )
}

/** The number of the first added line. */
const firstLine = (rows: readonly DiffRow[]): number => rows.find(({ kind }) => kind === 'add')?.after ?? 1

const kinds = { add: 'new file', update: '', delete: 'deleted', move: 'moved' }

const DiffFile = memo(function DiffFile({ file }: { file: FileDiff }) {
  const rows = useMemo(() => diffRows(file.patch), [file.patch])
  return (
    <section className="chat-diff-file" aria-label={`Changes in ${file.path}${file.by ? ` by ${file.by}` : ''}`}>
      <header className="ui-row chat-diff-head">
        {file.kind === 'delete' ? (
          <span className="chat-diff-path">{visible(file.path)}</span>
        ) : (
          <PathLink className="chat-diff-path" place={{ path: file.path, line: firstLine(rows) }}>
            {visible(file.path)}
          </PathLink>
        )}
        {file.by && <span className="chat-diff-by">changed by {visible(file.by)}</span>}
        {kinds[file.kind] && <span>{kinds[file.kind]}</span>}
        {file.added > 0 && <span className="chat-diff-added">+{file.added}</span>}
        {file.removed > 0 && <span className="chat-diff-removed">−{file.removed}</span>}
      </header>
      {rows.length > many ? (
        <Virtuoso
          className="chat-diff-many"
          totalCount={rows.length}
          itemContent={(index) => {
            const row = rows[index]
            return row ? <Row row={row} /> : null
          }}
        />
      ) : (
        <Scroll className="chat-diff-rows" label="Lines">
          {rows.map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </Scroll>
      )}
    </section>
  )
})

const signs = { add: '+', remove: '−', same: ' ', gap: '⋯', note: ' ' }

function Row({ row }: { row: DiffRow }) {
  return (
    <div className={`chat-diff-row chat-diff-${row.kind}`}>
      <span className="chat-diff-number" aria-hidden>
        {row.before ?? ''}
      </span>
      <span className="chat-diff-number" aria-hidden>
        {row.after ?? ''}
      </span>
      <span className="chat-diff-sign">{signs[row.kind]}</span>
      <span className="chat-diff-text">{row.text || ' '}</span>
    </div>
  )
}

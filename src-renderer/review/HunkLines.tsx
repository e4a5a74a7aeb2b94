import { type KeyboardEvent, type MouseEvent, useId, useMemo, useState } from 'react'
import type { ReviewHunk, ReviewLine } from '../../src-preload/contract/review'
import type { Tokens } from '../chat/highlight'
import { splitRows } from './diff-layout'
import { useLineTokens } from './use-line-tokens'

interface HunkLinesProps {
  hunk: ReviewHunk
  path: string
  split: boolean
  selected: ReadonlySet<number>
  onSelect: (selected: Set<number>) => void
  onKey: (key: 'accept' | 'revert' | 'comment') => void
}

const keys: Record<string, 'accept' | 'revert' | 'comment'> = {
  a: 'accept',
  r: 'revert',
  c: 'comment',
  Enter: 'comment',
}

/** The lines of a hunk. One tab stop: arrow keys move, Space selects, letters act on the selection. */
export function HunkLines({ hunk, path, split, selected, onSelect, onKey }: HunkLinesProps) {
  const [active, setActive] = useState(0)
  const [anchor, setAnchor] = useState(0)
  const tokens = useLineTokens(hunk, path)
  const id = useId()
  const { lines } = hunk
  const rows = useMemo(() => (split ? splitRows(lines) : null), [split, lines])

  const extend = (to: number) => {
    const [from, end] = anchor < to ? [anchor, to] : [to, anchor]
    onSelect(new Set(Array.from({ length: end - from + 1 }, (_, at) => from + at)))
    setActive(to)
  }
  const toggle = (at: number) => {
    const next = new Set(selected)
    if (!next.delete(at)) next.add(at)
    onSelect(next)
    setAnchor(at)
    setActive(at)
  }
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
    if (step !== 0) {
      const to = Math.min(lines.length - 1, Math.max(0, active + step))
      if (event.shiftKey) extend(to)
      else setActive(to)
      document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === ' ') toggle(active)
    else if (event.key === 'Escape' && selected.size > 0) onSelect(new Set())
    else if (action) {
      if (selected.size === 0) onSelect(new Set([active]))
      onKey(action)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const click = (at: number) => (event: MouseEvent) => {
    // The user selected text to copy it, not to pick lines.
    if (window.getSelection()?.isCollapsed === false) return
    if (event.shiftKey) extend(at)
    else toggle(at)
  }

  const cell = (line: ReviewLine, at: number, side: 'before' | 'after' | 'both') => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keyboard, and hands it to the line that is active
    <div
      key={`${side}-${at}`}
      id={side === 'after' && line.kind === 'same' ? undefined : `${id}-${at}`}
      role="option"
      tabIndex={-1}
      aria-selected={selected.has(at)}
      className={`review-line review-line-${line.kind}`}
      data-active={active === at || undefined}
      onClick={click(at)}
    >
      <span className="sr-only">{words[line.kind]}</span>
      {side !== 'after' && <span className="review-number">{line.before ?? ''}</span>}
      {side !== 'before' && <span className="review-number">{line.after ?? ''}</span>}
      <span className="review-sign">{signs[line.kind]}</span>
      <span className="review-text">
        <LineText line={line} tokens={tokens.get(line)} />
        {line.unended && <span className="ui-quiet"> no newline at end of file</span>}
      </span>
    </div>
  )

  return (
    <div
      role="listbox"
      aria-multiselectable
      aria-label={`Lines from ${hunk.after}. Space selects, C comments, A accepts, R reverts.`}
      aria-activedescendant={`${id}-${active}`}
      tabIndex={0}
      className={split ? 'review-lines review-lines-split' : 'review-lines'}
      onKeyDown={press}
    >
      {rows
        ? rows.map(({ left, right }) => (
            <div key={`${left?.at}-${right?.at}`} role="presentation" className="review-pair">
              {left ? cell(left.line, left.at, 'before') : <div role="presentation" className="review-line-none" />}
              {right ? cell(right.line, right.at, 'after') : <div role="presentation" className="review-line-none" />}
            </div>
          ))
        : lines.map((line, at) => cell(line, at, 'both'))}
    </div>
  )
}

const signs = { add: '+', remove: '−', same: ' ' }
const words = { add: 'Added', remove: 'Removed', same: '' }

function LineText({ line, tokens }: { line: ReviewLine; tokens: Tokens[number] | undefined }) {
  if (!tokens) return line.text || ' '
  return tokens.map((token) => (
    <span key={token.offset} style={{ color: token.color }}>
      {token.content}
    </span>
  ))
}

import type { RefObject } from 'react'
import type { Losses } from '../../src-preload/contract/losses'
import { bytes, count } from '../state/format'
import { isShortcut } from '../state/shortcuts'
import { Kbd } from '../ui'
import { isInText, useCardKeys } from './use-card-keys'
import './losses.css'

interface KeepCopyProps {
  card: RefObject<HTMLElement | null>
  losses: Extract<Losses, { status: 'known' }>
  chosen: boolean
  onChoose: (chosen: boolean) => void
}

/** Offers a copy before the command runs, from which undo can restore everything. */
export function KeepCopy({ card, losses: { copy }, chosen, onChoose }: KeepCopyProps) {
  const possible = copy !== null && copy.obstacle === undefined
  useCardKeys(card, (event) => {
    if (isInText(event) || !possible || !event.isTrusted || event.repeat || !isShortcut('keep-copy', event)) return
    event.preventDefault()
    onChoose(!chosen)
  })
  if (copy === null) return null
  if (copy.obstacle !== undefined) return <p className="ui-row ui-quiet losses-copy approval-hint">{copy.obstacle}</p>
  const size = copy.files === 0 ? '' : ` ${count(copy.files, 'file')}, ${bytes(copy.bytes)}.`
  return (
    <div className="ui-row losses-copy">
      <label>
        <input type="checkbox" checked={chosen} onChange={(event) => onChoose(event.target.checked)} />
        Keep a copy first
        <Kbd id="keep-copy" />
      </label>
      <span className="trial-hint">Undo can then bring back all of it.{size}</span>
    </div>
  )
}

import type { RuleOffer } from '../../src-preload/contract/approval'
import { widerWords } from './rule-words'
import { Sentence } from './Sentence'

/** Says in words what the answer beside *Allow once* would cover. */
export function WiderScope({ id, offer }: { id: string; offer: RuleOffer }) {
  return (
    <p id={id} className="approval-hint">
      <Sentence text={widerWords(offer)} />
    </p>
  )
}

import { useEffect, useId, useRef, useState } from 'react'
import type { RuleOffer } from '../../src-preload/contract/approval'
import { Select } from '../ui/Select'
import { pastWords } from './rule-words'
import { Sentence } from './Sentence'
import type { UserEvent } from './use-guard'

interface RuleOffersProps {
  offers: RuleOffer[]
  disabled: boolean
  /** `days`: how long the rule applies; 0 until it is revoked. */
  onChoose: (event: UserEvent, offer: number, days: number) => void
}

const TERMS = [
  { value: '0', label: 'never' },
  { value: '1', label: 'in a day' },
  { value: '7', label: 'in a week' },
  { value: '30', label: 'in a month' },
] as const

/** Rules to choose from, each in the words in which it will be listed, with how often it would have matched so far. */
export function RuleOffers({ offers, disabled, onChoose }: RuleOffersProps) {
  const list = useRef<HTMLUListElement>(null)
  const [term, setTerm] = useState<(typeof TERMS)[number]['value']>('0')
  const termId = useId()
  useEffect(() => list.current?.querySelector('button')?.focus(), [])
  return (
    <div className="approval-rules">
      <ul ref={list} className="approval-offers" aria-label="Rules to save">
        {offers.map((offer) => (
          <li key={offer.index}>
            <button
              type="button"
              className="approval-offer"
              disabled={disabled}
              onClick={(event) => onChoose(event, offer.index, Number(term))}
            >
              <Sentence text={offer.sentence} />
              {offer.past && (
                <span className="approval-past" data-refused={offer.past.refused > 0}>
                  {pastWords(offer.past, offer.scope)}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <div className="ui-row approval-term">
        <label htmlFor={termId}>Expires</label>
        <Select id={termId} value={term} onChange={setTerm} options={TERMS} />
      </div>
    </div>
  )
}

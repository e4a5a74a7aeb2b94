import { useEffect, useRef } from 'react'
import type { RuleOffer } from '../../src-preload/contract/protocol'
import { Sentence } from './Sentence'
import type { Deed } from './use-guard'

interface RuleOffersProps {
  offers: RuleOffer[]
  disabled: boolean
  onChoose: (deed: Deed, offer: number) => void
}

/** Standing answers to choose from, each in the very words under which it will be listed. */
export function RuleOffers({ offers, disabled, onChoose }: RuleOffersProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => list.current?.querySelector('button')?.focus(), [])
  return (
    <ul ref={list} className="approval-offers" aria-label="Rules to keep">
      {offers.map((offer) => (
        <li key={offer.index}>
          <button
            type="button"
            className="approval-offer"
            disabled={disabled}
            onClick={(event) => onChoose(event, offer.index)}
          >
            <Sentence text={offer.sentence} />
          </button>
        </li>
      ))}
    </ul>
  )
}

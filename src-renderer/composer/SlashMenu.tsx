import { visible } from '../state/format'
import { Offer, OfferList } from './OfferList'
import type { Slash } from './use-slash'

export const slashOption = (at: number): string => `composer-slash-${at}`
export const slashList = 'composer-slash'

/** The commands that match what is typed, above the message box. */
export function SlashMenu({ slash: { matches, at, typed, choose } }: { slash: Slash }) {
  if (typed?.hint)
    return (
      <p className="ui-quiet composer-slash-hint">
        <code>
          /{visible(typed.name)} {visible(typed.hint)}
        </code>
        <span>{visible(typed.description)}</span>
      </p>
    )
  if (matches.length === 0) return null
  return (
    <OfferList id={slashList} label="Commands" at={at}>
      {matches.map((command, index) => (
        <Offer key={command.name} id={slashOption(index)} selected={index === at} onChoose={() => choose(command)}>
          <span className="ui-cut composer-slash-name">
            /{visible(command.name)} <span>{visible(command.hint)}</span>
          </span>
          <span className="ui-cut composer-slash-words">{visible(command.description)}</span>
          <span className="ui-quiet composer-slash-from">{visible(command.from)}</span>
        </Offer>
      ))}
    </OfferList>
  )
}

import { useEffect, useRef } from 'react'
import { visible } from '../state/format'
import type { Slash } from './use-slash'

export const slashOption = (at: number): string => `composer-slash-${at}`
export const slashList = 'composer-slash'

/** The commands that fit what is typed, above the message box. */
export function SlashMenu({ slash: { matches, at, typed, choose } }: { slash: Slash }) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
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
    <div ref={list} id={slashList} className="composer-slash" role="listbox" aria-label="Commands">
      {matches.map((command, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the keyboard stays in the message box
        // biome-ignore lint/a11y/useKeyWithClickEvents: the message box handles the keys
        <div
          key={command.name}
          id={slashOption(index)}
          className="composer-slash-item"
          role="option"
          aria-selected={index === at}
          // The message box keeps the keyboard.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(command)}
        >
          <span className="ui-cut composer-slash-name">
            /{visible(command.name)} <span>{visible(command.hint)}</span>
          </span>
          <span className="ui-cut composer-slash-words">{visible(command.description)}</span>
          <span className="ui-quiet composer-slash-from">{visible(command.from)}</span>
        </div>
      ))}
    </div>
  )
}

import { useId } from 'react'

interface TypedWordProps {
  word: string
  /** The label of the button that typing the word enables. */
  button: string
  typed: string
  disabled: boolean
  onType: (typed: string) => void
}

/** The field for the word that has to be typed before a dangerous call can be allowed. */
export function TypedWord({ word, button, typed, disabled, onType }: TypedWordProps) {
  const id = useId()
  return (
    <div className="ui-row approval-word">
      <label htmlFor={id}>
        Type “<strong>{word}</strong>” to enable {button}
      </label>
      <input
        id={id}
        className="ui-input"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        disabled={disabled}
        onChange={(event) => onType(event.target.value)}
      />
    </div>
  )
}

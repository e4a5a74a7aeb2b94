import { Fragment } from 'react'
import { reveal } from './reveal'
import { shellTokens } from './shell-tokens'

/** A command as it will run: coloured, and with every character in sight. */
export function CommandText({ command }: { command: string }) {
  return (
    <>
      {keyed(shellTokens(command)).map(({ key, item }) => (
        <span key={key} className={`approval-token-${item.kind}`}>
          <Revealed text={item.text} />
        </span>
      ))}
    </>
  )
}

/** Text in which what cannot be seen, or is not what it looks like, is marked and named. */
export function Revealed({ text }: { text: string }) {
  return (
    <>
      {keyed(reveal(text)).map(({ key, item }) => {
        if (item.kind === 'plain') return <Fragment key={key}>{item.text}</Fragment>
        if (item.text === '\t')
          return (
            <span key={key} className="approval-tab" title="tab">
              {'\t'}
            </span>
          )
        return (
          <mark key={key} className="approval-hidden" title={`${item.label} ${item.name}`}>
            {item.kind === 'lookalike' && item.text}
            {item.label}
          </mark>
        )
      })}
    </>
  )
}

/** Text is cut anew as a whole whenever it changes, so the place of a piece is its identity. */
function keyed<Item extends { text: string }>(items: Item[]): { key: number; item: Item }[] {
  let at = 0
  return items.map((item) => {
    const key = at
    at += item.text.length
    return { key, item }
  })
}

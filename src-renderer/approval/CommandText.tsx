import { Fragment } from 'react'
import { reveal } from './reveal'
import { shellTokens } from './shell-tokens'

/** A command as it will run: colored, with every character visible. */
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

/** Text in which characters that are invisible or not what they look like are marked and named. */
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

/** The text is split again as a whole whenever it changes, so the position of a piece is its identity. */
function keyed<Item extends { text: string }>(items: Item[]): { key: number; item: Item }[] {
  let at = 0
  return items.map((item) => {
    const key = at
    at += item.text.length
    return { key, item }
  })
}

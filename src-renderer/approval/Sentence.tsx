import { Revealed } from './CommandText'

/** The text of a rule or a reason: parts in backticks are code, and every character is visible. */
export function Sentence({ text }: { text: string }) {
  return (
    <>
      {text.split(/`([^`]+)`/).map((piece, index) =>
        index % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence have no other identity
          <code key={index} className="approval-code">
            <Revealed text={piece} />
          </code>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Revealed key={index} text={piece} />
        ),
      )}
    </>
  )
}

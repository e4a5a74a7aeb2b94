import { Revealed } from './CommandText'

/** Words of a rule or a reason: what stands between backticks is code, and every character is in sight. */
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

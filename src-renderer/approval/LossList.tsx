import { LoaderCircle, PackageOpen, ShieldCheck } from 'lucide-react'
import { useId } from 'react'
import type { Question } from '../../src-preload/contract/approval'
import type { Losses, LossGroup, LossItem } from '../../src-preload/contract/losses'
import { exactTime } from '../state/format'
import { getState } from '../state/store'
import { Revealed } from './CommandText'
import { groupWords, moreWords, ownerWords } from './loss-words'
import './losses.css'

/** What the call would destroy that exists nowhere else, by name. It appears on the card once it is known. */
export function LossList({ question, losses }: { question: Question; losses: Losses }) {
  const titleId = useId()
  if (losses.status === 'looking')
    return (
      <p className="ui-row losses-line" role="status">
        <LoaderCircle className="trial-busy" size={14} aria-hidden />
        Checking what would be lost…
      </p>
    )
  if (losses.status === 'unknown') return <p className="ui-row losses-line">Could not check what would be lost.</p>
  if (losses.groups.length === 0)
    return (
      <p className="ui-row losses-line">
        <ShieldCheck size={14} aria-hidden />
        {losses.notes.length > 0 ? losses.notes.join(' ') : 'Nothing irreplaceable would be lost.'}
      </p>
    )
  return (
    <section className="losses" aria-labelledby={titleId}>
      <h4 id={titleId}>
        <PackageOpen size={14} aria-hidden />
        Would be lost: this exists nowhere else
      </h4>
      <dl>
        {losses.groups.map((group) => (
          <Group key={group.kind} group={group} sessionId={question.sessionId} />
        ))}
      </dl>
      {losses.notes.map((note) => (
        <p key={note} className="ui-quiet approval-hint">
          {note}
        </p>
      ))}
    </section>
  )
}

function Group({ group, sessionId }: { group: LossGroup; sessionId: string }) {
  const more = moreWords(group)
  return (
    <div>
      <dt>{groupWords(group)}</dt>
      <dd>
        <ul>
          {group.items.map((item) => (
            <li key={item.name}>
              <code>
                <Revealed text={item.name} />
              </code>
              <About item={item} sessionId={sessionId} />
            </li>
          ))}
          {more !== '' && <li className="losses-more">{more}</li>}
        </ul>
      </dd>
    </div>
  )
}

function About({ item: { detail, owner }, sessionId }: { item: LossItem; sessionId: string }) {
  if (detail !== undefined)
    return (
      <span className="losses-about">
        <Revealed text={detail} />
      </span>
    )
  if (!owner) return null
  const words = ownerWords(owner, sessionId, (id) => getState().sessions[id]?.title, Date.now())
  return (
    <span className="losses-about" title={owner.by === 'user' ? exactTime(owner.since) : undefined}>
      {words}
    </span>
  )
}

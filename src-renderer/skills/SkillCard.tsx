import { useState } from 'react'
import type { SkillInfo } from '../../src-preload/contract/skills'
import { Fold } from '../page/Fold'
import { Loaded } from '../page/Loaded'
import { RemoveButton } from '../page/RemoveButton'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { openLink } from '../state/desktop'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Badge, Scroll, Switch } from '../ui'
import { requirementWords, sourceWords, standing } from './skill-words'

interface SkillCardProps {
  skill: SkillInfo
  agentId: string
  workspace: string | undefined
}

/** One skill: whether it is offered and why not, where it comes from, and its text. */
export function SkillCard({ skill, agentId, workspace }: SkillCardProps) {
  const { name, location, source } = skill
  const state = standing(skill)
  const needs = requirementWords(skill.requires)
  // Skills of other programs are not ours to remove.
  const isOurs = source === 'agent' || source === 'global'
  return (
    <article className="ui-column page-card" aria-label={name} data-dim={!skill.enabled || undefined}>
      <header className="ui-row page-card-head">
        <span className="page-dot" data-tone={state.tone} aria-hidden />
        <h3>{name}</h3>
        <span className="page-state">{state.words}</span>
        <Badge>{sourceWords(source)}</Badge>
        {skill.hidesGlobal && <Badge>overrides a shared skill</Badge>}
        {skill.always && <Badge tone="accent">always on</Badge>}
        <span className="ui-row page-card-tools">
          {isOurs && (
            <RemoveButton
              name={name}
              onRemove={() => isOurs && attempt(call('skill.remove', { agentId, location, source }))}
            >
              Its folder is deleted from the disk{source === 'global' ? ', for all agents' : ''}. To stop using it for a
              while, turn it off instead.
            </RemoveButton>
          )}
          <Switch
            label={`${name} is on`}
            checked={skill.enabled}
            onChange={(enabled) => attempt(call('skill.setEnabled', { name, enabled }))}
          />
        </span>
      </header>
      {skill.description && <p className="page-text">{skill.description}</p>}
      {skill.enabled && skill.reasons.length > 0 && (
        <ul className="skills-reasons" aria-label="Why it is not available">
          {skill.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <dl className="page-facts">
        <div>
          <dt>At</dt>
          <dd title={skill.folder}>
            <code>{location}</code>
          </dd>
        </div>
        {skill.eligibleHosts.length > 0 && (
          <div>
            <dt>Works on</dt>
            <dd>{skill.eligibleHosts.join(', ')}</dd>
          </div>
        )}
        {needs.map(({ need, of }) => (
          <div key={need}>
            <dt>Needs {need}</dt>
            <dd>{of.join(', ')}</dd>
          </div>
        ))}
        {skill.homepage && <Homepage url={skill.homepage} />}
      </dl>
      <Fold label="Text" of={name}>
        <SkillText agentId={agentId} location={location} workspace={workspace} />
      </Fold>
    </article>
  )
}

function Homepage({ url }: { url: string }) {
  return (
    <div>
      <dt>More</dt>
      <dd>
        <button type="button" className="skills-link" onClick={() => openLink(url)}>
          {url}
        </button>
      </dd>
    </div>
  )
}

function SkillText({
  agentId,
  location,
  workspace,
}: Pick<SkillCardProps, 'agentId' | 'workspace'> & { location: string }) {
  const [text, setText] = useState<string | null>(null)
  const changes = useDeckhand((state) => state.skillChanges)
  const asked = useAsk(() => call('skill.read', { agentId, location, workspace }).then(setText), String(changes))
  return (
    <Loaded asked={asked} ready={text !== null} what="The text" small>
      <Scroll label={`Text of ${location}`} className="page-code">
        {text}
      </Scroll>
    </Loaded>
  )
}

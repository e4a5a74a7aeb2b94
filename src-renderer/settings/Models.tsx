import { KeyRound, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call } from '../state/bridge'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Button } from '../ui'
import { PlanSignIn } from './PlanSignIn'
import { ProviderForm } from './ProviderForm'
import { ProviderRow } from './ProviderRow'
import { presets } from './presets'
import { draftFromPreset, draftFromProvider, emptyDraft, type ProviderDraft } from './provider-draft'
import { Section } from './Section'

/** The providers of models. */
export function Models() {
  const providers = useDeckhand((state) => state.providers)
  const keyStore = useDeckhand((state) => state.keyStore)
  const [draft, setDraft] = useState<ProviderDraft | null>(null)
  const editing = draft?.id
  useEffect(() => void attempt(call('provider.detect', {})), [])

  return (
    <Section id="models" title="Models" words="provider api key base url openai anthropic ollama price context">
      {keyStore === 'none' && (
        <p className="ui-row settings-warning" role="note">
          <KeyRound size={15} aria-hidden />
          This system has no keychain. Keys you enter are kept only until Deckhand quits. To avoid typing them at each
          start, have them read from an environment variable or a command.
        </p>
      )}
      {providers.length === 0 && !draft && (
        <p className="settings-none">
          No provider yet, so the built-in offline guide answers. Add a provider below, or start Ollama, LM Studio or
          llama.cpp on this machine and it is found automatically.
        </p>
      )}
      <ul className="ui-column settings-providers">
        {providers.map((provider) => (
          <li key={provider.id}>
            {editing === provider.id && draft ? (
              <ProviderForm start={draft} stored={provider} onDone={() => setDraft(null)} />
            ) : (
              <ProviderRow provider={provider} onEdit={() => setDraft(draftFromProvider(provider))} />
            )}
          </li>
        ))}
      </ul>
      {draft && editing === undefined ? (
        <ProviderForm key={draft.name} start={draft} stored={undefined} onDone={() => setDraft(null)} />
      ) : (
        <div className="ui-row settings-add">
          <span>Add</span>
          {presets.map((preset) => (
            <Button key={preset.name} onClick={() => setDraft(draftFromPreset(preset))}>
              {preset.name}
            </Button>
          ))}
          <Button icon={<Plus size={14} />} onClick={() => setDraft(emptyDraft)}>
            Other
          </Button>
        </div>
      )}
      {!draft && <PlanSignIn />}
    </Section>
  )
}

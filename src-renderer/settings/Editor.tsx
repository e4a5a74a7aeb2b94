import { useId, useState } from 'react'
import { customEditor, type EditorOnMachine } from '../../src-preload/contract/editors'
import type { Settings } from '../../src-preload/contract/settings'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { Select } from '../ui/Select'
import { Field } from './Field'
import { Section } from './Section'
import { TextSetting } from './TextSetting'
import { useSaving } from './use-setting'

/** Stands for no choice, since a list cannot contain an empty value. */
const FIRST = 'first'

/** The editor for files that a chat or a terminal names. */
export function Editor({ settings }: { settings: Settings }) {
  const id = useId()
  const [saving, save] = useSaving('editor')
  const [found, setFound] = useState<EditorOnMachine[]>([])
  const asked = useAsk(() => call('editor.list', {}).then(setFound), 'editors')
  const missing = ![FIRST, customEditor, ...found.map((each) => each.id)].includes(settings.editor || FIRST)
  const options = [
    { value: FIRST, label: found[0] ? `First available (${found[0].name})` : 'First available' },
    ...found.map(({ id: value, name }) => ({ value, label: name })),
    ...(missing && !asked.busy ? [{ value: settings.editor, label: `${settings.editor} (not found)` }] : []),
    { value: customEditor, label: 'Other command' },
  ]
  const none = !asked.busy && found.length === 0 && settings.editor === ''
  return (
    <Section id="editor" title="Editor">
      <Field
        id={id}
        label="Open files with"
        hint={none ? 'No editor was found on this computer.' : 'Paths in the chat and in terminals open there.'}
        saving={saving}
      >
        <Select
          id={id}
          value={settings.editor || FIRST}
          options={options}
          onChange={(value) => save(value === FIRST ? '' : value)}
        />
      </Field>
      {settings.editor === customEditor && (
        <TextSetting
          setting="editorCommand"
          label="Command"
          hint="A program and its arguments, such as: emacsclient -n +{line}:{column} {file}. It is not run through a shell."
        />
      )}
    </Section>
  )
}

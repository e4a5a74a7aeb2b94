import { useId, useState } from 'react'
import type { Settings } from '../../src-preload/contract/settings'
import { Report, type ReportState } from '../page/Report'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { Button } from '../ui'
import { Select } from '../ui/Select'
import { Field } from './Field'
import { Section } from './Section'
import { TextSetting } from './TextSetting'
import { useSaving } from './use-setting'

type ProxyChoice = 'automatic' | 'none' | 'own'

const CHOICES: readonly { value: ProxyChoice; label: string; hint: string }[] = [
  {
    value: 'automatic',
    label: 'Automatic',
    hint: 'HTTPS_PROXY and NO_PROXY, otherwise the system settings or PAC script',
  },
  { value: 'none', label: 'No proxy', hint: 'Always connect directly' },
  { value: 'own', label: 'Custom', hint: 'Use the proxy below' },
]

const choiceOf = (proxy: string): ProxyChoice => (proxy === '' ? 'automatic' : proxy === 'none' ? 'none' : 'own')

/** The proxy and the certificates for requests to models, MCP servers and web pages. */
export function Network({ settings }: { settings: Settings }) {
  const { networkProxy, networkProxyUser, certificateFile } = settings
  return (
    <Section id="network" title="Network">
      <ProxySetting stored={networkProxy} />
      <TextSetting
        mono
        setting="networkProxyUser"
        label="Proxy user name"
        hint="If the proxy requires one and its address does not include it."
      />
      {networkProxyUser !== '' && <PasswordSetting key={networkProxyUser} />}
      <TextSetting
        mono
        setting="certificateFile"
        label="Extra certificates"
        hint="A PEM file with the root certificate of your network, if it inspects encrypted traffic. The certificates of this system and NODE_EXTRA_CA_CERTS are used as well."
        placeholder="/path/to/root.pem"
      />
      <TestSetting about={JSON.stringify([networkProxy, networkProxyUser, certificateFile])} />
    </Section>
  )
}

function ProxySetting({ stored }: { stored: string }) {
  const id = useId()
  const [saving, save] = useSaving('networkProxy')
  const [wanted, setWanted] = useState<ProxyChoice | null>(null)
  const choice = wanted ?? choiceOf(stored)
  const choose = (next: ProxyChoice) => {
    setWanted(next === 'own' ? 'own' : null)
    return next === 'own' ? undefined : save(next === 'none' ? 'none' : '')
  }
  return (
    <>
      <Field id={id} label="Proxy" hint="Addresses of this machine are never proxied." saving={saving}>
        <Select id={id} value={choice} options={CHOICES} onChange={choose} />
      </Field>
      {choice === 'own' && (
        <TextSetting
          mono
          setting="networkProxy"
          label="Proxy address"
          hint="http://, https:// or socks5://, without a name or password."
          placeholder="http://proxy.example:3128"
          stored={choiceOf(stored) === 'own' ? stored : ''}
          problem={(address) =>
            /^(?:https?|socks5):\/\/[^\s/@:]+(?::\d{1,5})?\/?$/.test(address)
              ? undefined
              : 'Enter an address such as http://proxy.example:3128.'
          }
        />
      )}
    </>
  )
}

function PasswordSetting() {
  const id = useId()
  const [draft, setDraft] = useState('')
  const [report, setReport] = useState<ReportState>(null)
  const [known, setKnown] = useState(false)
  useAsk(() => call('network.status', {}).then(({ hasPassword }) => setKnown(hasPassword)))
  const keep = () => {
    if (draft === '') return
    call('network.setPassword', { password: draft }).then(
      () => {
        setDraft('')
        setKnown(true)
        setReport({ tone: 'good', words: 'Password saved' })
      },
      (error: Error) => setReport({ tone: 'bad', words: error.message }),
    )
  }
  return (
    <Field id={id} label="Proxy password" hint={report ? <Report report={report} /> : 'Kept with your keys.'}>
      <input
        id={id}
        className="ui-input"
        type="password"
        autoComplete="off"
        placeholder={known ? 'Stored. Leave empty to keep it' : ''}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => event.key === 'Enter' && keep()}
      />
    </Field>
  )
}

const DIRECT = 'Now: a direct connection.'

const wayOut = ({ proxy, trouble }: { proxy: string; trouble?: string }): string =>
  trouble ?? (proxy ? `Now: through the proxy ${proxy}.` : DIRECT)

function TestSetting({ about }: { about: string }) {
  const id = useId()
  const [url, setUrl] = useState('https://openrouter.ai/')
  const [now, setNow] = useState(DIRECT)
  const [report, setReport] = useState<ReportState>(null)
  useAsk(() => call('network.status', {}).then((status) => setNow(wayOut(status))), about)
  const test = () => {
    setReport({ tone: 'busy', words: 'Connecting…' })
    call('network.test', { url: url.trim() }).then(
      ({ ok, message }) => setReport({ tone: ok ? 'good' : 'bad', words: message }),
      (error: Error) => setReport({ tone: 'bad', words: error.message }),
    )
  }
  return (
    <Field id={id} label="Test the connection" hint={report ? <Report report={report} /> : now}>
      <input
        id={id}
        className="ui-input"
        spellCheck={false}
        inputMode="url"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && test()}
      />
      <Button onClick={test} disabled={report?.tone === 'busy'}>
        Test
      </Button>
    </Field>
  )
}

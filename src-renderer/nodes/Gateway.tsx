import { useId } from 'react'
import { Copyable } from '../page/Copyable'
import { Fold } from '../page/Fold'
import { Field } from '../settings/Field'
import '../settings/settings.css'
import { NumberSetting } from '../settings/NumberSetting'
import { SwitchSetting } from '../settings/SwitchSetting'
import { TextSetting } from '../settings/TextSetting'
import { useSaving } from '../settings/use-setting'
import { useDeckhand } from '../state/store'
import { Select } from '../ui/Select'
import { gatewayWords } from './node-words'

/** The gateway that other machines connect to, and where it can be reached from. */
export function Gateway() {
  const gateway = useDeckhand((state) => state.gateway)
  if (!gateway) return null
  return (
    <section className="ui-column page-section nodes-gateway" aria-label="Gateway">
      <h2>Gateway</h2>
      {gateway.url && <Copyable text={gateway.url} what="the address" />}
      <p className={gateway.problem ? 'page-error' : 'page-hint'}>{gatewayWords(gateway)}</p>
      <Fold label="Change where it listens">
        <div className="ui-column nodes-gateway-settings">
          <SwitchSetting
            setting="gatewayEnabled"
            label="Let other machines connect"
            hint="Only nodes you added, with their token."
          />
          <HostSetting />
          <NumberSetting
            setting="gatewayPort"
            label="Port"
            hint="0 picks a free port and keeps it. Nodes need a new command when the port changes."
            min={0}
            max={65_535}
            whole
          />
          <TextSetting
            mono
            setting="gatewayCertificate"
            label="Certificate"
            hint="A PEM file, if you have a certificate for this machine. Left empty, Deckhand makes one and nodes check its pin."
          />
          <CertificateKeySetting />
        </div>
      </Fold>
    </section>
  )
}

function CertificateKeySetting() {
  const hasCertificate = useDeckhand((state) => (state.settings?.gatewayCertificate ?? '') !== '')
  if (!hasCertificate) return null
  return (
    <TextSetting
      mono
      setting="gatewayKey"
      label="Key of the certificate"
      hint="A PEM file without a passphrase. Leave empty if the key is in the same file."
    />
  )
}

const LOOPBACK = '127.0.0.1'
const EVERYWHERE = '0.0.0.0'

function HostSetting() {
  const id = useId()
  const value = useDeckhand((state) => state.settings?.gatewayHost ?? LOOPBACK)
  const [saving, save] = useSaving('gatewayHost')
  const known = value === LOOPBACK || value === EVERYWHERE ? value : 'other'
  const options = [
    { value: LOOPBACK, label: 'This machine only', hint: LOOPBACK },
    { value: EVERYWHERE, label: 'All networks', hint: EVERYWHERE },
    ...(known === 'other' ? [{ value: 'other', label: value }] : []),
  ]
  return (
    <>
      <Field
        id={id}
        label="Reachable from"
        hint="Connections from other machines are encrypted. Nodes need a new command after a change."
        error={known === LOOPBACK ? undefined : 'Any machine that can reach this address can try to connect.'}
        saving={saving}
      >
        <Select
          id={id}
          value={known}
          options={options}
          onChange={(host) => (host === 'other' ? undefined : save(host))}
        />
      </Field>
      {known !== LOOPBACK && (
        <TextSetting
          mono
          needed
          setting="gatewayHost"
          label="Address"
          hint="Listen on one address of this machine only."
        />
      )}
    </>
  )
}

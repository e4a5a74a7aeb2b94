import { recoveryWords } from '../../src-preload/contract/recovery'
import { call } from '../state/bridge'
import { greetMain } from '../state/connect'
import { visible } from '../state/format'
import { recoveryRead, useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Button, Dialog } from '../ui'

/** What was found damaged at startup, what could be saved, and the backup if it has more. */
export function RecoveryDialog() {
  const recovery = useDeckhand((state) => state.recovery)
  if (!recovery) return null
  const [title = '', ...what] = recoveryWords(recovery)
  // Everything is loaded again, since any session may have changed.
  const restore = () => attempt(call('backup.restore', {}).then(greetMain))
  return (
    <Dialog
      open
      onClose={recoveryRead}
      title={title.replace(/\.$/, '')}
      actions={
        recovery.backup ? (
          <>
            <Button onClick={recoveryRead}>Not now</Button>
            <Button kind="primary" onClick={restore}>
              Restore from backup
            </Button>
          </>
        ) : (
          <Button kind="primary" onClick={recoveryRead}>
            Continue
          </Button>
        )
      }
    >
      <div className="layout-recovery">
        {what.map((sentence) => (
          <p key={sentence}>{visible(sentence)}</p>
        ))}
        {recovery.backup && <p>Anything you deleted since the backup comes back too.</p>}
      </div>
    </Dialog>
  )
}

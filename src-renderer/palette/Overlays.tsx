import { RecoveryDialog } from '../layout/RecoveryDialog'
import { SshQuestion } from '../nodes/SshQuestion'
import { Palette } from './Palette'
import { ShortcutSheet } from './ShortcutSheet'

/** Dialogs that can be opened on every page. */
export function Overlays() {
  return (
    <>
      <Palette />
      <ShortcutSheet />
      <SshQuestion />
      <RecoveryDialog />
    </>
  )
}

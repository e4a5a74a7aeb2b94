import { RecoveryDialog } from '../layout/RecoveryDialog'
import { SshQuestion } from '../nodes/SshQuestion'
import { Palette } from './Palette'
import { ShortcutSheet } from './ShortcutSheet'

/** What can be opened over every page. */
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

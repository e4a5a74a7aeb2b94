import { PackageOpen } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ImportTool } from '../../src-preload/contract/moving-in'
import { call } from '../state/bridge'
import { showPage } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Button } from '../ui'
import { toolList } from './import-words'

/** At the first start: offers to import what other agents on this machine have. */
export function ImportOffer() {
  const first = useDeckhand((state) => Object.keys(state.sessions).length <= 1)
  const [tools, setTools] = useState<ImportTool[]>([])
  useEffect(() => {
    if (first) void attempt(call('import.state', {}).then(setTools))
  }, [first])
  if (!first || tools.length === 0) return null
  return (
    <div className="ui-row chat-welcome-note">
      <p>You have used {toolList(tools)} here. Bring your servers, commands, skills, rules and sessions along.</p>
      <Button icon={<PackageOpen size={14} />} onClick={() => showPage('import')}>
        See what can be imported
      </Button>
    </div>
  )
}

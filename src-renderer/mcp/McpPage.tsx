import './mcp.css'
import { ClipboardPaste, Plug, Plus } from 'lucide-react'
import { useState } from 'react'
import { Answer } from '../page/Answer'
import { Page } from '../page/Page'
import { useAsk } from '../page/use-ask'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'
import { Button, Empty } from '../ui'
import { ImportForm } from './ImportForm'
import { Projects } from './Projects'
import { ServerCard } from './ServerCard'
import { ServerForm } from './ServerForm'
import { draftFromServer, emptyDraft, type ServerDraft } from './server-draft'

async function readServers(): Promise<void> {
  await Promise.all([load('mcp.list', {}), load('mcp.projects', {})])
}

type Open = { form: 'server'; draft: ServerDraft } | { form: 'import' } | null

/** Other programs that lend the agent their tools. */
export function McpPage() {
  const servers = useDeckhand((state) => state.mcp)
  const own = servers?.filter(({ project }) => project === undefined)
  const hasProjects = useDeckhand((state) => state.mcpProjects.length > 0)
  const asked = useAsk(readServers)
  const [open, setOpen] = useState<Open>(null)
  const edited = open?.form === 'server' ? open.draft.previousId : undefined
  const close = () => setOpen(null)

  return (
    <Page
      title="MCP servers"
      hint="Programs and services that lend the agent their tools. A folder that names some starts none before you trust it."
      actions={
        <>
          <Button icon={<ClipboardPaste size={14} />} onClick={() => setOpen({ form: 'import' })}>
            Paste a configuration
          </Button>
          <Button
            kind="primary"
            icon={<Plus size={14} />}
            onClick={() => setOpen({ form: 'server', draft: emptyDraft })}
          >
            Add a server
          </Button>
        </>
      }
    >
      <Answer asked={asked} ready={servers !== null} what="The servers">
        {open?.form === 'import' && <ImportForm onDone={close} />}
        {open?.form === 'server' && edited === undefined && <ServerForm start={open.draft} onDone={close} />}
        {own?.length === 0 && !hasProjects && !open && (
          <Empty icon={<Plug size={28} />} title="No servers yet">
            Add one by the command that starts it or by its address. Each of its tools asks before it runs, until you
            say otherwise here.
          </Empty>
        )}
        <ul className="page-list" aria-label="MCP servers">
          {own?.map((server) => (
            <li key={server.id}>
              {open?.form === 'server' && edited === server.id ? (
                <ServerForm start={open.draft} onDone={close} />
              ) : (
                <ServerCard
                  server={server}
                  onEdit={() => setOpen({ form: 'server', draft: draftFromServer(server) })}
                />
              )}
            </li>
          ))}
        </ul>
        <Projects servers={servers ?? []} />
      </Answer>
    </Page>
  )
}

import './mcp.css'
import { ClipboardPaste, Plug, Plus } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../page/Loaded'
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

/** MCP servers: other programs that offer tools to the agent. */
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
      hint="Programs and services that give the agent more tools. Servers named by a folder start only after you trust that folder."
      actions={
        <>
          <Button icon={<ClipboardPaste size={14} />} onClick={() => setOpen({ form: 'import' })}>
            Import configuration
          </Button>
          <Button
            kind="primary"
            icon={<Plus size={14} />}
            onClick={() => setOpen({ form: 'server', draft: emptyDraft })}
          >
            Add server
          </Button>
        </>
      }
    >
      <Loaded asked={asked} ready={servers !== null} what="The servers">
        {open?.form === 'import' && <ImportForm onDone={close} />}
        {open?.form === 'server' && edited === undefined && <ServerForm start={open.draft} onDone={close} />}
        {own?.length === 0 && !hasProjects && !open && (
          <Empty icon={<Plug size={28} />} title="No servers yet">
            Add server by its command or its URL. Each tool asks before it runs, unless you change that here.
          </Empty>
        )}
        <ul className="ui-column page-list" aria-label="MCP servers">
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
      </Loaded>
    </Page>
  )
}

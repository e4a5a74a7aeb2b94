import type { Hosts } from '../hosts/hosts'
import type { SlashSource } from '../slash/slash-commands'

/** The commands of the agent that plays a session. It reads them as they are typed. */
export const agentCommands = (hosts: Pick<Hosts, 'info'>): SlashSource => ({
  list: ({ sessionId }) => {
    const info = hosts.info(sessionId)
    return (info?.commands ?? []).map(({ name, description, hint = '' }) => ({
      name,
      description,
      hint,
      from: info?.name ?? '',
      expand: () => ({ text: '' }),
    }))
  },
})

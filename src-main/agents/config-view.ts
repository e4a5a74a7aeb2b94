import type { ChannelInfo, ChannelSettings } from '../../src-preload/contract/channels'
import type { Provider } from '../../src-preload/contract/models'
import type { GatewayInfo } from '../../src-preload/contract/nodes'
import type { Settings } from '../../src-preload/contract/settings'

type SavedChannel = Pick<
  ChannelInfo,
  'channel' | 'accountId' | 'kind' | 'enabled' | 'policy' | 'allowFrom' | 'inbound' | 'defaultTo'
>

interface ConfigFacts<Channel extends SavedChannel> {
  settings: Settings
  providers: readonly Provider[]
  channels: {
    list(): Channel[]
    secretsOf(channel: Channel): ChannelInfo['secrets']
    settings(): Pick<ChannelSettings, 'dmScope'>
  }
  gateway: GatewayInfo | null
  agents: readonly string[]
  timeZone: string
}

const set = '***'
/** GSV's channel names, which skills refer to. In this app, channels have user-defined names. */
const usualChannels = ['whatsapp', 'discord', 'slack', 'telegram']

/**
 * The configuration in the structure that GSV's skills and agents expect. It contains no secrets: each is replaced by a
 * placeholder.
 */
export function configView<Channel extends SavedChannel>({
  settings,
  providers,
  channels,
  gateway,
  agents,
  timeZone,
}: ConfigFacts<Channel>): object {
  const nobody: { enabled: boolean; dmPolicy: string; allowFrom: string[] } = {
    enabled: false,
    dmPolicy: 'pairing',
    allowFrom: [],
  }
  const known = channels.list().map((saved) => {
    const { channel, kind, enabled, policy, allowFrom, inbound, defaultTo } = saved
    const { token, signingKey } = channels.secretsOf(saved)
    const facts = {
      kind,
      enabled,
      inbound,
      dmPolicy: policy,
      allowFrom,
      defaultTo: defaultTo ?? undefined,
      ...(token && { token: set }),
      ...(signingKey && { signingKey: set }),
    }
    return [channel, facts] as const
  })
  return {
    model: { id: settings.defaultModel },
    apiKeys: Object.fromEntries(providers.filter(({ hasKey }) => hasKey).map(({ id }) => [id, set])),
    session: { mainKey: 'main', dmScope: channels.settings().dmScope },
    agents: { defaultId: 'main', list: [...agents] },
    channels: Object.fromEntries([...usualChannels.map((name) => [name, nobody] as const), ...known]),
    gateway: gateway && {
      enabled: gateway.enabled,
      host: gateway.host,
      port: gateway.port,
      url: gateway.url,
      loopback: gateway.loopback,
    },
    auth: gateway ? { token: set } : {},
    timeouts: {
      llmMs: settings.firstByteSeconds * 1000,
      toolMs: 60_000,
      skillProbeMaxAgeMs: 600_000,
    },
    approval: { mode: settings.defaultMode },
    cron: { maxJobs: 200, maxRunsPerJobHistory: 200, maxConcurrentRuns: 4 },
    skills: { entries: settings.skillEntries },
    limits: { maxIterations: settings.maxIterations, maxResultBytes: settings.maxResultBytes },
    workspace: settings.defaultWorkspace,
    userTimezone: timeZone,
  }
}

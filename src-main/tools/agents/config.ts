import { z } from 'zod'
import { valueAt } from '../../skills/eligibility'
import { inputShape } from '../input'
import { type ObjectTool, present } from '../object-tool'

const shape = inputShape(() =>
  z.object({ path: z.string().optional().describe('Dotted, such as "session.dmScope"; default: everything') }),
)

const mask = '***'
/** Names of settings that hold secrets, at any depth. */
const secretName = /(?:token|secret|password|passphrase|apikey|api_key|signingkey|credentials?)$/i
const secretGroup = new Set(['apiKeys', 'secrets'])

/** The configuration without secrets: a secret value only shows that there is one. */
function masked(value: unknown, name = '', inSecrets = false): unknown {
  if (Array.isArray(value)) return value.map((item) => masked(item, '', inSecrets))
  if (typeof value === 'object' && value !== null) {
    const group = inSecrets || secretGroup.has(name)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner, key, group)]))
  }
  const isSecret = (inSecrets || secretName.test(name)) && typeof value !== 'boolean'
  return isSecret && value !== undefined && value !== null && value !== '' ? mask : value
}

export function createConfigTool(
  config: (() => object) | null | undefined,
): ObjectTool<ReturnType<typeof shape.parse>> {
  return {
    description: 'Look at the configuration, as a whole or at one dotted path. Secrets are masked.',
    ...shape,
    readOnly: true,
    access: (_, { workspace }) => ({ action: 'read', node: 'gsv', cwd: workspace, workspace, toolKey: 'config.read' }),
    gist: ({ path }) => path ?? 'everything',
    async execute({ path }) {
      const whole = masked(present(config)())
      return path === undefined || path.trim() === '' ? { config: whole } : { path, value: valueAt(whole, path.trim()) }
    },
  }
}

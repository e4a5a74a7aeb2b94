import type { InitializeResponse, NewSessionResponse } from '@agentclientprotocol/sdk'
import type { HostedInfo, HostedOption, HostedSignIn } from '../../src-preload/contract/hosted'
import { type HostedConfigOption, type HostedUpdate, readConfigOption } from './updates'

/** The id under which the agent's modes are offered beside its other options. */
export const modeOption = 'mode:'

const short = (text: string, most = 200): string => text.replace(/\s+/g, ' ').trim().slice(0, most)

export const signInsOf = ({ authMethods = [] }: InitializeResponse): HostedSignIn[] =>
  authMethods.slice(0, 20).map((method) => ({
    id: method.id,
    name: short(method.name),
    ...(method.description && { description: short(method.description, 500) }),
    terminal: 'type' in method && method.type === 'terminal',
  }))

/** What can be chosen of the agent's own: its modes first, then its options. */
export function optionsOf({
  modes,
  configOptions,
}: Pick<NewSessionResponse, 'modes' | 'configOptions'>): HostedOption[] {
  const own = (configOptions ?? []).flatMap((option) => {
    const read = readConfigOption(option)
    return read ? optionOf(read) : []
  })
  // Agents that offer both mean the same by them.
  if (!modes || modes.availableModes.length === 0 || own.some(({ category }) => category === 'mode')) return own
  const choices = modes.availableModes.slice(0, 100).map(({ id, name, description }) => ({
    value: id,
    name: short(name),
    ...(description && { description: short(description, 500) }),
  }))
  return [{ id: modeOption, name: 'Mode', category: 'mode', current: modes.currentModeId, choices }, ...own]
}

function optionOf({ id, name, category, currentValue, options }: HostedConfigOption): HostedOption[] {
  const choices =
    typeof currentValue === 'boolean'
      ? [
          { value: 'true', name: 'On' },
          { value: 'false', name: 'Off' },
        ]
      : (options ?? [])
          .flatMap((each) => ('value' in each ? [each] : each.options))
          .map(({ value, name: label, description }) => ({
            value,
            name: short(label),
            ...(description && { description: short(description, 500) }),
          }))
  if (choices.length === 0) return []
  return [{ id, name: short(name), category: category ?? '', current: String(currentValue), choices }]
}

/** The info after an update that concerns it; null for one that does not. */
export function withUpdate(info: HostedInfo, update: HostedUpdate): HostedInfo | null {
  switch (update.sessionUpdate) {
    case 'available_commands_update': {
      const commands = update.availableCommands.map(({ name, description, input }) => ({
        name: short(name, 100),
        description: short(description ?? ''),
        ...(input?.hint && { hint: short(input.hint) }),
      }))
      return { ...info, commands }
    }
    case 'current_mode_update': {
      const current = update.currentModeId
      const options = info.options.map((option) => (option.category === 'mode' ? { ...option, current } : option))
      return { ...info, options }
    }
    case 'config_option_update': {
      const modes = info.options.filter(({ id }) => id === modeOption)
      const own = update.configOptions.flatMap(optionOf)
      return { ...info, options: own.some(({ category }) => category === 'mode') ? own : [...modes, ...own] }
    }
    default:
      return null
  }
}

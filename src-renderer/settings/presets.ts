import type { ProviderKind } from '../../src-preload/contract/models'

export interface Preset {
  name: string
  kind: ProviderKind
  baseUrl: string
  /** Runs on the user's own machine and usually needs no key. */
  local: boolean
  /** The variable that programs usually read its key from. */
  variable?: string
}

/** Common providers, so that their addresses need not be looked up. */
export const presets: readonly Preset[] = [
  { name: 'OpenAI', kind: 'openai', baseUrl: 'https://api.openai.com/v1', local: false, variable: 'OPENAI_API_KEY' },
  {
    name: 'Anthropic',
    kind: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    local: false,
    variable: 'ANTHROPIC_API_KEY',
  },
  {
    name: 'OpenRouter',
    kind: 'openai',
    baseUrl: 'https://openrouter.ai/api/v1',
    local: false,
    variable: 'OPENROUTER_API_KEY',
  },
  { name: 'Ollama', kind: 'openai', baseUrl: 'http://127.0.0.1:11434/v1', local: true },
  { name: 'LM Studio', kind: 'openai', baseUrl: 'http://127.0.0.1:1234/v1', local: true },
  { name: 'llama.cpp', kind: 'openai', baseUrl: 'http://127.0.0.1:8080/v1', local: true },
]

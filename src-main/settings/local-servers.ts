/** A model server that people run on their own machine, with its default port. */
export interface LocalServer {
  id: string
  name: string
  baseUrl: string
}

export const localServers: readonly LocalServer[] = [
  { id: 'ollama', name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { id: 'lm-studio', name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { id: 'llama-cpp', name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
]

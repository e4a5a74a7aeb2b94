import { readJsonFile, writeJsonFile } from './json-file'

/** Where keys live. They are never written in clear, and never leave the main process. */
export interface SecretStore {
  /** `none` when they are forgotten at the end of the run. */
  readonly kind: 'keychain' | 'none'
  /** Without opening it, which the system may ask the user about. */
  has(name: string): boolean
  get(name: string): string | null
  set(name: string, secret: string): void
  remove(name: string): void
}

/** The operating system's own lock for small secrets, as Electron's `safeStorage` offers it. */
export interface Cipher {
  encrypt(text: string): Buffer
  decrypt(data: Buffer): string
}

/** Keys in a file that only the operating system's keychain can open. */
export const fileSecrets = (path: string, cipher: Cipher, tell: (note: string) => void = () => {}): SecretStore => {
  const { content, keptAs } = readJsonFile(path, Date.now())
  if (keptAs) tell(`The file of stored keys could not be read. It was kept as ${keptAs}; please enter your keys again.`)
  const known = new Map<string, string>()
  return {
    kind: 'keychain',
    has: (name) => Object.hasOwn(content, name),
    get: (name) => {
      const open = known.get(name)
      if (open !== undefined) return open
      const locked = Object.hasOwn(content, name) ? content[name] : undefined
      if (typeof locked !== 'string') return null
      try {
        const secret = cipher.decrypt(Buffer.from(locked, 'base64'))
        known.set(name, secret)
        return secret
      } catch {
        // A keychain that was reset, or a folder from another machine: the same as no key, and the user should know.
        tell('A stored key could not be opened on this machine. Please enter it again.')
        return null
      }
    },
    set: (name, secret) => {
      content[name] = cipher.encrypt(secret).toString('base64')
      writeJsonFile(path, content)
      known.set(name, secret)
    },
    remove: (name) => {
      known.delete(name)
      if (!Object.hasOwn(content, name)) return
      delete content[name]
      writeJsonFile(path, content)
    },
  }
}

/** Keys until the app quits, where the system has no keychain. */
export const memorySecrets = (): SecretStore => {
  const secrets = new Map<string, string>()
  return {
    kind: 'none',
    has: (name) => secrets.has(name),
    get: (name) => secrets.get(name) ?? null,
    set: (name, secret) => {
      secrets.set(name, secret)
    },
    remove: (name) => {
      secrets.delete(name)
    },
  }
}

/** The id of the provider that the command line names. */
export const temporaryId = 'cli'

/** For the command line: one key, from the environment, for the provider that was named beside it and no other. */
export const environmentSecrets = (env: NodeJS.ProcessEnv): SecretStore => {
  const get = (name: string): string | null => (name.startsWith(`${temporaryId}@`) && env.DECKHAND_API_KEY) || null
  return { ...memorySecrets(), get, has: (name) => get(name) !== null }
}

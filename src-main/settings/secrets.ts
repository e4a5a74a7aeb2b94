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

/** `channel:slack/work:signingKey` is DECKHAND_CHANNEL_SLACK_WORK_SIGNING_KEY; the default account is left out. */
const channelVariable = (name: string): string | null => {
  const [, channel, account, secret] = /^channel:([^/]+)\/([^:]+):(\w+)$/.exec(name) ?? []
  if (!channel || !account || !secret) return null
  const words = [
    'DECKHAND_CHANNEL',
    channel,
    ...(account === 'default' ? [] : [account]),
    secret.replace(/(?=[A-Z])/g, '_'),
  ]
  return words.join('_').replaceAll('-', '_').toUpperCase()
}

/** The id of the provider that the command line names. */
export const temporaryId = 'cli'

/**
 * For the command line, from the environment: one key, for the provider that was named beside it and no other, and the
 * secrets of channels, such as DECKHAND_CHANNEL_TELEGRAM_TOKEN.
 */
export const environmentSecrets = (env: NodeJS.ProcessEnv): SecretStore => {
  const get = (name: string): string | null => {
    if (name.startsWith(`${temporaryId}@`)) return env.DECKHAND_API_KEY || null
    const variable = channelVariable(name)
    return (variable && env[variable]) || null
  }
  return { ...memorySecrets(), get, has: (name) => get(name) !== null }
}

import { readJsonFile, writeJsonFile } from './json-file'

/** Stores keys. They are never written in plain text, and never leave the main process. */
export interface SecretStore {
  /** `none` if keys are only kept until the app quits. */
  readonly kind: 'keychain' | 'none'
  /** Does not decrypt the key, since the system may ask the user for that. */
  has(name: string): boolean
  get(name: string): string | null
  set(name: string, secret: string): void
  remove(name: string): void
}

/** Encryption by the operating system, as provided by Electron's `safeStorage`. */
export interface Cipher {
  encrypt(text: string): Buffer
  decrypt(data: Buffer): string
}

/** Keys in a file that is encrypted with the operating system's keychain. */
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
        // The keychain was reset, or the folder is from another machine: counts as no key, and the user is told.
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

/** Keeps keys in memory until the app quits, for systems without a keychain. */
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

/** The password for the proxy of the settings. */
export const proxyPasswordName = 'network:proxy-password'

/** The id of the provider that is given on the command line. */
export const temporaryId = 'cli'

/**
 * Secrets from environment variables, for the command line: one key, valid only for the provider given with it, the
 * password of the proxy, and the secrets of channels, such as DECKHAND_CHANNEL_TELEGRAM_TOKEN.
 */
export const environmentSecrets = (env: NodeJS.ProcessEnv): SecretStore => {
  const get = (name: string): string | null => {
    if (name.startsWith(`${temporaryId}@`)) return env.DECKHAND_API_KEY || null
    if (name === proxyPasswordName) return env.DECKHAND_PROXY_PASSWORD || null
    const variable = channelVariable(name)
    return (variable && env[variable]) || null
  }
  return { ...memorySecrets(), get, has: (name) => get(name) !== null }
}

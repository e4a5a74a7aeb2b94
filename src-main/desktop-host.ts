import { safeStorage, session } from 'electron'
import { openUtilityHost } from './terminal-port'

/** What only the desktop app has: terminals in a process of their own, the keychain, and the system's own proxy settings. */
export const desktopHost = (terminalHost: string) => ({
  openHost: () => openUtilityHost(terminalHost),
  keychain: keychain(),
  systemProxy: (url: string) => session.defaultSession.resolveProxy(url),
  interactive: true,
  serves: true,
})

/**
 * Null where nothing really protects a key: on Linux without a keyring Electron would encrypt with a password that is the
 * same everywhere, which only looks safe.
 */
function keychain(): { encrypt(text: string): Buffer; decrypt(data: Buffer): string } | null {
  if (!safeStorage.isEncryptionAvailable()) return null
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') return null
  return { encrypt: (text) => safeStorage.encryptString(text), decrypt: (data) => safeStorage.decryptString(data) }
}

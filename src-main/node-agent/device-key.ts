import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { proofText } from '../gateway/wire'

/** Identifies this installation of a node. A token can be copied from a command line; the private key stays here. */
interface DeviceKey {
  /** The public key, which the gateway stores. */
  readonly key: string
  prove(nonce: string, clientId: string): string
}

export function openDeviceKey(folder: string): DeviceKey {
  const path = join(folder, 'device.pem')
  const secret = existsSync(path) ? createPrivateKey(readFileSync(path)) : makeKey(folder, path)
  const key = createPublicKey(secret).export({ format: 'der', type: 'spki' }).toString('base64url')
  return {
    key,
    prove: (nonce, clientId) => sign(null, Buffer.from(proofText(nonce, clientId)), secret).toString('base64url'),
  }
}

function makeKey(folder: string, path: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  return privateKey
}

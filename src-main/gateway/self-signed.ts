import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

/** A self-signed certificate. Node has no function for that, so its DER form (RFC 5280) is written here. */
export function selfSignedCertificate(options: {
  /** An EC key of the curve P-256. */
  key: KeyObject
  commonName: string
  /** Host names and addresses. */
  names: readonly string[]
  from: Date
  to: Date
}): string {
  const { key, commonName, names, from, to } = options
  const algorithm = sequence(objectId('2a8648ce3d040302'))
  const name = sequence(set(sequence(objectId('550403'), node(tag.utf8, Buffer.from(commonName)))))
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const unsigned = sequence(
    node(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(from), time(to)),
    name,
    publicKey,
    node(0xa3, sequence(...extensions(names))),
  )
  const signature = sign('sha256', unsigned, key)
  const whole = sequence(unsigned, algorithm, node(tag.bits, Buffer.concat([Buffer.from([0]), signature])))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

const tag = { boolean: 1, integer: 2, bits: 3, octets: 4, objectId: 6, utf8: 12, utcTime: 23, anyTime: 24 }

function node(kind: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const bytes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([kind, ...bytes]), content])
}

const sequence = (...parts: Buffer[]): Buffer => node(0x30, ...parts)
const set = (...parts: Buffer[]): Buffer => node(0x31, ...parts)
const integer = (bytes: Buffer): Buffer => node(tag.integer, bytes)
const objectId = (hex: string): Buffer => node(tag.objectId, Buffer.from(hex, 'hex'))

/** Years up to 2049 have two digits, later ones four. */
function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`
  return date.getUTCFullYear() < 2050
    ? node(tag.utcTime, Buffer.from(digits.slice(2)))
    : node(tag.anyTime, Buffer.from(digits))
}

/** For servers only, not a certificate authority, valid for these names. */
function extensions(names: readonly string[]): Buffer[] {
  const critical = node(tag.boolean, Buffer.from([0xff]))
  const entry = (id: string, content: Buffer, ...flags: Buffer[]): Buffer =>
    sequence(objectId(id), ...flags, node(tag.octets, content))
  return [
    entry('551d13', sequence(), critical),
    entry('551d0f', node(tag.bits, Buffer.from([7, 0x80])), critical),
    entry('551d25', sequence(objectId('2b06010505070301'))),
    entry('551d11', sequence(...names.map(alternativeName))),
  ]
}

const alternativeName = (name: string): Buffer => {
  const kind = isIP(name)
  if (kind === 0) return node(0x82, Buffer.from(name, 'latin1'))
  return node(0x87, kind === 4 ? Buffer.from(name.split('.').map(Number)) : addressBytes(name))
}

/** The sixteen bytes of an IPv6 address. */
function addressBytes(address: string): Buffer {
  const [host = ''] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('%')
  const [head = '', tail] = host.split('::')
  const words = (text: string | undefined): number[] =>
    text ? text.split(':').map((word) => Number.parseInt(word, 16)) : []
  const [front, back] = [words(head), words(tail)]
  const all = tail === undefined ? front : [...front, ...Array(8 - front.length - back.length).fill(0), ...back]
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 255]))
}

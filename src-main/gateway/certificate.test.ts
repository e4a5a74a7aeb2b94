import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { madeCertificate, readCertificate } from './certificate'
import { isPin, matchesPin, pinOf } from './pin'
import { selfSignedCertificate } from './self-signed'

const day = 86_400_000
const now = Date.parse('2027-03-01T12:00:00Z')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-certificate-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const write = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

it('signs a certificate that others can read', () => {
  const key = newKey()
  const names = ['desk.example', '10.1.2.3', '::1', 'fe80::12:0:ff']
  const text = selfSignedCertificate({
    key,
    commonName: 'A desk',
    names,
    from: new Date(now),
    to: new Date('2060-01-02T03:04:05Z'),
  })
  const certificate = new X509Certificate(text)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.checkPrivateKey(key)).toBe(true)
  expect(certificate.subject).toBe('CN=A desk')
  expect(certificate.ca).toBe(false)
  expect(certificate.subjectAltName?.toLowerCase()).toBe(
    'dns:desk.example, ip address:10.1.2.3, ip address:0:0:0:0:0:0:0:1, ip address:fe80:0:0:0:0:12:0:ff',
  )
  expect(Date.parse(certificate.validFrom)).toBe(now)
  expect(Date.parse(certificate.validTo)).toBe(Date.parse('2060-01-02T03:04:05Z'))
})

it('keeps the made one for its user alone, and the key when it is renewed', () => {
  const first = madeCertificate(folder, now)
  expect(isPin(first.pin ?? '')).toBe(true)
  expect(statSync(join(folder, 'key.pem')).mode & 0o777).toBe(0o600)
  expect(madeCertificate(folder, now + 10 * day)).toEqual(first)
  const late = madeCertificate(folder, now + 3400 * day)
  expect(late.cert).not.toBe(first.cert)
  expect(late.pin).toBe(first.pin)
  writeFileSync(join(folder, 'certificate.pem'), 'rubbish')
  expect(madeCertificate(folder, now).pin).toBe(first.pin)
  writeFileSync(join(folder, 'key.pem'), 'rubbish')
  expect(() => madeCertificate(folder, now)).toThrow(/key\.pem is damaged\. Remove it/)
})

it('takes the user’s own, and says what is wrong with it', () => {
  const key = newKey()
  const pem = key.export({ format: 'pem', type: 'pkcs8' }).toString()
  const to = new Date(now + 30 * day)
  const text = selfSignedCertificate({ key, commonName: 'x', names: ['desk.example'], from: new Date(now), to })
  const [certificate, keyFile] = [write('own.pem', text), write('own.key', pem)]
  expect(readCertificate(certificate, keyFile, now)).toMatchObject({
    names: ['desk.example'],
    pin: pinOf(new X509Certificate(text)),
  })
  const both = write('both.pem', text + pem)
  expect(readCertificate(both, both, now).cert).toBe(readFileSync(both, 'utf8'))

  const other = write('other.key', newKey().export({ format: 'pem', type: 'pkcs8' }).toString())
  expect(() => readCertificate(certificate, other, now)).toThrow('does not belong to the certificate')
  expect(() => readCertificate(certificate, certificate, now)).toThrow('holds no private key')
  expect(() => readCertificate(keyFile, keyFile, now)).toThrow('holds no certificate')
  expect(() => readCertificate(join(folder, 'gone'), keyFile, now)).toThrow(/gone cannot be read \(ENOENT\)/)
  expect(() => readCertificate(certificate, keyFile, now + 31 * day)).toThrow(/expired on/)
})

it('knows a key by its pin', () => {
  const made = new X509Certificate(madeCertificate(folder, now).cert)
  expect(matchesPin(made, pinOf(made))).toBe(true)
  expect(matchesPin(made, `${pinOf(made).slice(0, -1)}_`)).toBe(false)
  expect(matchesPin(made, '')).toBe(false)
  expect(
    ['sha256:', `sha256:${'a'.repeat(42)}`, `md5:${'a'.repeat(43)}`, `sha256:${'é'.repeat(43)}`].filter(isPin),
  ).toEqual([])
})

import { createHash } from 'node:crypto'

/**
 * What is in a package, as CycloneDX 1.6. The same parts give the same text: its number is made from them.
 * @param {ReturnType<typeof import('./components.mjs').components>} parts
 */
export function sbomOf(parts, { version, licence, electronVersion, epoch }) {
  const components = [
    {
      type: 'framework',
      'bom-ref': `pkg:npm/electron@${electronVersion}`,
      name: 'electron',
      version: electronVersion,
      licenses: [{ license: { id: 'MIT' } }],
      purl: `pkg:npm/electron@${electronVersion}`,
    },
    ...uniqueByPurl(parts.map(componentOf)),
  ]
  const digest = createHash('sha256')
    .update(JSON.stringify([version, components]))
    .digest('hex')
  const own = `pkg:generic/deckhand@${version}`
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidFrom(digest)}`,
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'deckhand',
        version,
        licenses: [{ license: { id: licence } }],
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((component) => component['bom-ref']) }],
  }
  return `${JSON.stringify(sbom, null, 2)}\n`
}

function componentOf({ name, version, licence, integrity, bundled }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    ...(integrity && { hashes: [hashOf(integrity)] }),
    licenses: /[ ()]/.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }],
    purl,
    properties: [{ name: 'deckhand:form', value: bundled ? 'bundled' : 'package' }],
  }
}

/** Two copies of one version in different folders are one component. */
const uniqueByPurl = (components) => [...new Map(components.map((each) => [each.purl, each])).values()]

function hashOf(integrity) {
  const [algorithm, base64] = integrity.split(' ')[0].split('-')
  const names = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' }
  return { alg: names[algorithm], content: Buffer.from(base64, 'base64').toString('hex') }
}

/** Version 8 of RFC 9562: the bits are ours to choose. */
function uuidFrom(hex) {
  const variant = ((Number.parseInt(hex[16], 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

import { licenceTexts } from './components.mjs'

const line = '-'.repeat(80)

/**
 * The licences of everything of others that a package holds.
 * @param {ReturnType<typeof import('./components.mjs').components>} parts
 */
export function thirdPartyNotices(parts, electronVersion) {
  const blocks = parts.map(({ folder, name, version, licence }) => {
    const texts = licenceTexts(folder)
    const text =
      texts.length > 0 ? texts.join('\n\n') : `The package has no text of its licence. It declares: ${licence}`
    return `${name} ${version} (${licence})\n\n${text}\n`
  })
  const electron = `Electron ${electronVersion} (MIT)\n\nSee LICENSE.electron.txt, and LICENSES.chromium.html for what it is made of.\n`
  return [electron, ...blocks].join(`\n${line}\n\n`)
}

/** Packages whose licence nobody declared. */
export const withoutLicence = (parts) => parts.filter(({ licence }) => !licence).map(({ name }) => name)

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commands } from '../src-main/cli/commands'
import { packageFolder } from './bundled-packages'
import { licenceByText } from './components.mjs'
import { elfArchitecture } from './elf.mjs'
import { formats } from './formats.mjs'
import { thirdPartyNotices, withoutLicence } from './notices.mjs'
import { missingFromBuild } from './parts.mjs'
import { sbomOf } from './sbom.mjs'
import { buildTarball } from './tarball.mjs'
import { settle, walk } from './tree.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-packaging-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

describe('what a build lacks', () => {
  const whole = () => {
    for (const name of [
      'start',
      'index',
      'cli',
      'pty-host',
      'embed-worker',
      'page-worker',
      'sandbox-bridge',
      'tool-relay',
    ])
      put(`main/${name}.js`, '')
    put('main/index.js', 'import{a}from"./chunks/a.js";const b=()=>import(`./chunks/b.js`)')
    put('main/chunks/a.js', 'export*from"./b.js"')
    put('main/chunks/b.js', '')
    put('preload/index.cjs', '')
    put('preload/prompt.cjs', '')
    put('renderer/prompt.html', '')
    put('replay/player.js', '')
    put('replay/player.css', '')
    put('renderer/index.html', '<script src="./assets/page.js"></script><link href="/assets/page.css">')
    put('renderer/assets/page.js', '')
    put('renderer/assets/page.css', '')
  }
  test.each([
    ['main/start.js', 'out/main/start.js'],
    ['preload/index.cjs', 'out/preload/index.cjs'],
    ['renderer/index.html', 'out/renderer/index.html'],
    ['replay/player.js', 'out/replay/player.js'],
    ['main/chunks/a.js', 'out/main/chunks/a.js (wanted by out/main/index.js)'],
    ['renderer/assets/page.js', 'out/renderer/assets/page.js (wanted by out/renderer/index.html)'],
    ['renderer/assets/page.css', 'out/renderer/assets/page.css (wanted by out/renderer/index.html)'],
  ])('%s', (path, said) => {
    whole()
    expect(missingFromBuild(folder)).toEqual([])
    rmSync(join(folder, path))
    expect(missingFromBuild(folder)).toContain(said)
  })
})

describe('what is of others', () => {
  const part = {
    folder: 'node_modules/diff',
    name: 'diff',
    version: '9.0.0',
    licence: 'BSD-3-Clause',
    integrity: `sha512-${Buffer.from('x').toString('base64')}`,
    bundled: true,
  }
  const about = { version: '1.0.0', licence: 'MIT', electronVersion: '45.3.2', epoch: 1_000_000_000 }

  test('the package of a module of the bundle', () => {
    expect(packageFolder('/c/node_modules/diff/lib/index.js')).toBe('node_modules/diff')
    expect(packageFolder('\0/c/node_modules/@a/b/node_modules/@c/d/x.js?commonjs')).toBe(
      'node_modules/@a/b/node_modules/@c/d',
    )
    expect(packageFolder('/c/src-main/index.ts')).toBeUndefined()
  })

  test('the list of parts is CycloneDX, names each part once and is the same for the same parts', () => {
    const text = sbomOf([part, { ...part, folder: 'node_modules/x/node_modules/diff' }], about)
    const sbom = JSON.parse(text)
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
    expect(sbom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(sbom.components.map(({ purl }: { purl: string }) => purl)).toEqual([
      'pkg:npm/electron@45.3.2',
      'pkg:npm/diff@9.0.0',
    ])
    expect(sbomOf([part, part], about)).toBe(text)
  })

  test('a licence that is not declared is read from its text, if that is a well-known one', () => {
    expect(licenceByText(['The MIT License (MIT)\n\nCopyright'])).toBe('MIT')
    expect(licenceByText(['   Apache License\n   Version 2.0, January 2004'])).toBe('Apache-2.0')
    expect(licenceByText(['You may do what this MIT license says']), 'only as the title').toBe('')
    expect(licenceByText([])).toBe('')
  })

  test('the notices hold the text of each licence, and a part without any is told', () => {
    const notices = thirdPartyNotices([part], '45.3.2')
    expect(notices).toContain('diff 9.0.0 (BSD-3-Clause)')
    expect(notices).toContain('Redistribution and use in source and binary forms')
    expect(withoutLicence([part, { ...part, name: 'nobody', licence: '' }])).toEqual(['nobody'])
  })
})

test('files get the same modes and times whatever they had', () => {
  put('opt/deckhand/deckhand', 'program')
  put('opt/deckhand/resources/icudtl.dat', 'data')
  chmodSync(join(folder, 'opt/deckhand/resources/icudtl.dat'), 0o700)
  settle(folder, 1_000_000_000)
  const seen = [...walk(folder)].map(({ path, info }) => [path, (info.mode & 0o777).toString(8), info.mtimeMs / 1000])
  expect(seen).toEqual([
    ['opt', '755', 1_000_000_000],
    ['opt/deckhand', '755', 1_000_000_000],
    ['opt/deckhand/deckhand', '755', 1_000_000_000],
    ['opt/deckhand/resources', '755', 1_000_000_000],
    ['opt/deckhand/resources/icudtl.dat', '644', 1_000_000_000],
  ])
})

test('the machine that a program is for', () => {
  expect(elfArchitecture(process.execPath)).toBe(process.arch)
  put('text', 'no program at all, only text')
  expect(elfArchitecture(join(folder, 'text'))).toBe('unknown')
})

describe('npm run package refuses', () => {
  const refusal = (...words: string[]): string => {
    const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
    const { status, stderr } = spawnSync('node', [join(import.meta.dirname, 'package.mjs'), ...words], {
      env,
      encoding: 'utf8',
      timeout: 50_000,
    })
    expect(status).toBe(1)
    return stderr
  }
  const checkout = join(import.meta.dirname, '..')
  const has = readFileSync(join(checkout, 'node_modules/electron/dist/version'), 'utf8').trim().replace(/^v/, '')
  const wants = JSON.parse(readFileSync(join(checkout, 'node_modules/electron/package.json'), 'utf8')).version

  test('what it does not know', () => {
    expect(refusal('--nonsense')).toMatch(/Unknown option '--nonsense'[\s\S]*npm run package -- \[options\]/)
    expect(refusal('--development', '--only', 'deb,snap')).toContain('There is no snap for linux. --only takes: deb,')
  })

  test.runIf(has !== wants)('the fallback Electron, unless it is for development', () => {
    expect(refusal()).toContain(`This is Electron ${has}, the fallback for development`)
  })

  test.runIf(process.platform === 'linux')('an Electron for another machine', () => {
    const other = process.arch === 'arm64' ? 'x64' : 'arm64'
    expect(refusal('--development', '--arch', other)).toContain(`is for ${process.arch}, not for ${other}`)
  })
})

test('every form of the three systems has its line', () => {
  expect(formats.map(({ platform, name }) => `${platform} ${name}`)).toEqual([
    'linux deb',
    'linux model',
    'linux rpm',
    'linux tar.gz',
    'linux AppImage',
    'win32 nsis',
    'win32 zip',
    'darwin dmg',
    'darwin zip',
  ])
  expect(buildTarball).toBeTypeOf('function')
})

describe('the command on the PATH', () => {
  /** How the program is called for these words. */
  const called = (...words: string[]): string[] => {
    put('app/deckhand', '#!/bin/sh\nprintf "%s\\n" "$@"\n')
    put(
      'app/bin/deckhand',
      readFileSync(join(import.meta.dirname, 'linux/deckhand.sh'), 'utf8').replace('@VERSION@', '1.2.3'),
    )
    for (const name of ['app/deckhand', 'app/bin/deckhand']) chmodSync(join(folder, name), 0o755)
    expect(statSync(join(folder, 'app/bin/deckhand')).mode & 0o111).not.toBe(0)
    return execFileSync(join(folder, 'app/bin/deckhand'), words, { encoding: 'utf8' }).split('\n').slice(0, -1)
  }
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const headless = ['--no-sandbox', '--no-zygote', '--log-level=3', '--deckhand-part=cli', '--']

  test('runs every command without a window', () => {
    for (const { name } of commands) expect(called(name, '--x', 'a b')).toEqual([...headless, name, '--x', 'a b'])
    expect(called('--help')).toEqual([...headless, '--help'])
    expect(called('nonsense')).toEqual([...headless, 'nonsense'])
  })

  test('tells its version by itself', () => {
    expect(called('--version')).toEqual(['1.2.3'])
  })

  test('opens the window for all else, and reads no link as an option', () => {
    expect(called()).toEqual(['--log-level=3', ...root])
    expect(called('--open=/a b')).toEqual(['--log-level=3', ...root, '--open=/a b'])
    expect(called('deckhand-link://prompt?text=x', '--gpu-launcher=evil')).toEqual([
      '--log-level=3',
      ...root,
      '--',
      'deckhand-link://prompt?text=x',
    ])
  })
})

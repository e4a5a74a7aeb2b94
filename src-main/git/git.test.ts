import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSandbox } from '../sandbox/sandbox'
import { makeSeenFolder, sandboxHere } from '../sandbox/test-ground'
import { createGit } from './git'

const { available } = await sandboxHere()

it.skipIf(!available)('works on when something that was hidden from it is gone', async () => {
  const folder = makeSeenFolder('git-')
  const [own, root, home] = [join(folder, 'own'), join(folder, 'repository'), join(folder, 'home')]
  const sandbox = createSandbox({ home, own: [own], hosts: () => [] })
  try {
    for (const each of [own, root, home]) mkdirSync(each)
    execFileSync('git', ['init', '-q', root])
    writeFileSync(join(root, 'a.txt'), 'one\n')
    const git = createGit({ sandbox, own: [own], home })
    const status = async () => (await git(root, ['status', '--porcelain'])).stdout.toString()
    expect(await status()).toBe('?? a.txt\n')
    rmSync(own, { recursive: true })
    expect(await status()).toBe('?? a.txt\n')
  } finally {
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

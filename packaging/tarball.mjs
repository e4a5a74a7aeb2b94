import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { tool } from './tool.mjs'
import { layApp, layShare, settle } from './tree.mjs'

/** A folder that runs from anywhere: `bin/deckhand` in it is the command. */
export async function buildTarball(app, { work, output }) {
  const name = `deckhand-${app.version}-linux-${app.arch}`
  const root = join(work, 'tar')
  mkdirSync(root)
  layApp(join(root, name), app)
  layShare(join(root, name, 'share'), { ...app, zsh: 'zsh/site-functions' })
  settle(join(root, name), app.epoch)
  const file = join(output, `${name}.tar.gz`)
  const same = ['--sort=name', '--format=gnu', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${app.epoch}`]
  await tool('tar', [...same, `--use-compress-program=gzip -n${app.quick ? 1 : 6}`, '-cf', file, '-C', root, name])
  return file
}

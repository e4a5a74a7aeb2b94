import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { hasSshd, startSshd, type TestSshd } from '../src-main/nodes/shell/test-sshd'
import { type Deckhand, expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { answer, card, openPage, pane, picture, say, screenOf, sessionRow, typeInto } from './steps'

/** Where tmux has its server, and where programs are found before all others. */
function ownFolders(deckhand: Deckhand) {
  const root = dirname(deckhand.dataDir)
  const folder = (name: string) => {
    mkdirSync(join(root, name), { recursive: true })
    return join(root, name)
  }
  const [there, bin] = [folder('there'), folder('bin')]
  return {
    folder,
    there,
    env: { PATH: `${bin}${delimiter}${process.env.PATH}`, TMUX_TMPDIR: there },
    program(name: string, body: string) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`)
      chmodSync(join(bin, name), 0o755)
    },
    endTmux: () =>
      execFileSync('sh', ['-c', 'tmux kill-server 2>/dev/null || true'], {
        env: { ...process.env, TMUX_TMPDIR: there },
      }),
  }
}

/** An ssh host of our own, and a Deckhand that finds it: `ssh` knows the key, and tmux has a folder of its own. */
async function withHost(
  deckhand: Deckhand,
  options: { passphrase?: string },
  walk: (sshd: TestSshd) => Promise<void>,
): Promise<void> {
  const { folder, there, env, program, endTmux } = ownFolders(deckhand)
  const sshd = await startSshd({ home: there, tmuxFolder: there, strict: true, ...options })
  sshd.shim(program)
  writeFileSync(join(folder('home/.ssh'), 'config'), 'Host build-server staging\n  User me\nHost *.example.com\n')
  try {
    await deckhand.relaunch({ env })
    await walk(sshd)
  } finally {
    await deckhand.quit()
    await sshd.stop()
    endTmux()
  }
}

const nodeCard = (window: Page, name: string): Locator =>
  window.getByRole('list', { name: 'Nodes' }).getByRole('article', { name, exact: true })

/** Fills the form in up to the first thing that ssh wants to know. */
async function addHost(window: Page, { target }: TestSshd): Promise<Locator> {
  await openPage(window, 'Nodes')
  await window.getByRole('button', { name: 'Add node' }).click()
  await window.getByRole('radio', { name: 'SSH host' }).click()
  const form = window.getByRole('form', { name: 'Add a node' })
  await form.getByRole('button', { name: 'build-server' }).click()
  await expect(form.getByRole('textbox', { name: 'Host', exact: true })).toHaveValue('build-server')
  await form.getByRole('textbox', { name: 'Host', exact: true }).fill(target.host)
  await form.getByRole('textbox', { name: 'Port', exact: true }).fill(String(target.port))
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('box')
  return form
}

test.describe('ssh', () => {
  test.skip(!hasSshd, 'There is no sshd to walk to.')

  test('a command on an ssh host goes on while the app is closed, and its pane is live again', async ({
    deckhand,
    model,
  }) => {
    test.setTimeout(240_000)
    await withHost(deckhand, {}, async (sshd) => {
      const form = await addHost(deckhand.window, sshd)
      await picture(deckhand, 'ssh-form')
      await bringAxe(deckhand.window)
      await expectNoBarriers(deckhand, 'form for an ssh host')
      await form.getByRole('button', { name: 'Connect' }).click()
      const known = deckhand.window.getByRole('dialog', { name: 'Trust box?' })
      await expect(known).toContainText('fingerprint')
      await picture(deckhand, 'ssh-host-key')
      await known.getByRole('button', { name: 'Connect' }).click()
      await expect(nodeCard(deckhand.window, 'box')).toContainText('online', { timeout: 60_000 })
      await expect(nodeCard(deckhand.window, 'box')).toContainText(/ssh -t -p \d+ .* tmux attach -t buddy-[0-9a-f]{4}/)
      await picture(deckhand, 'ssh-node')
      await expectNoBarriers(deckhand, 'node of an ssh host')
      await nodeCard(deckhand.window, 'box').getByRole('button', { name: /^Log/ }).click()
      const log = nodeCard(deckhand.window, 'box').getByRole('region', { name: 'Log of box' })
      await expect(log).toContainText('Connected')
      await expect(nodeCard(deckhand.window, 'box')).toContainText(/online, (under 1|\d+) ms/)
      await picture(deckhand, 'ssh-node-log')

      const command = 'echo begun; read word; echo "heard $word"; sleep 300'
      model.push(calls('Bash', { command, node: 'box', background: true }), says('It runs.'))
      await sessionRow(deckhand.window, 'New session').click()
      await say(deckhand.window, 'Start it on the box')
      await expect(card(deckhand.window)).toContainText('box')
      await answer(card(deckhand.window), 'Allow once')
      await expect(screenOf(pane(deckhand.window, /begun/))).toContainText('begun', { timeout: 60_000 })
      await expect(pane(deckhand.window, /begun/)).toContainText('on box')
      await picture(deckhand, 'ssh-terminal')

      const window = await deckhand.relaunch()
      const again = pane(window, /begun/)
      await expect(screenOf(again)).toContainText('begun', { timeout: 60_000 })
      await expect(async () => {
        await typeInto(again, 'still here\n')
        await expect(screenOf(again)).toContainText('heard still here', { timeout: 5_000 })
      }).toPass({ timeout: 60_000 })
      await picture(deckhand, 'ssh-terminal-again')
    })
  })

  test('a passphrase is asked for in a masked field, and a wrong one adds nothing', async ({ deckhand }) => {
    test.setTimeout(240_000)
    await withHost(deckhand, { passphrase: 'sesame' }, async (sshd) => {
      const { window } = deckhand
      const form = await addHost(window, sshd)
      await form.getByRole('button', { name: 'Connect' }).click()
      await window.getByRole('dialog', { name: 'Trust box?' }).getByRole('button', { name: 'Connect' }).click()
      const asks = window.getByRole('dialog', { name: 'box asks' })
      const secret = asks.getByLabel(/passphrase/)
      await expect(secret).toHaveAttribute('type', 'password')
      await picture(deckhand, 'ssh-passphrase')
      await bringAxe(window)
      await expectNoBarriers(deckhand, 'passphrase')
      await asks.getByRole('button', { name: 'Cancel' }).click()
      await expect(form).toContainText(/Permission denied/, { timeout: 60_000 })
      await expect(nodeCard(window, 'box')).toBeHidden()

      await form.getByRole('button', { name: 'Connect' }).click()
      await secret.fill('sesame')
      await secret.press('Enter')
      await expect(nodeCard(window, 'box')).toContainText('online', { timeout: 60_000 })
      await nodeCard(window, 'box').getByRole('button', { name: 'More for box' }).click()
      await window.getByRole('menuitem', { name: 'Disconnect' }).click()
      await expect(nodeCard(window, 'box')).toContainText('offline')
      await nodeCard(window, 'box').getByRole('button', { name: 'Connect', exact: true }).click()
      await asks.getByRole('button', { name: 'Cancel' }).click()
      await expect(nodeCard(window, 'box')).toContainText('Permission denied')
      await picture(deckhand, 'ssh-offline')
    })
  })
})

test('a container is added from those that run, and tmux of this machine with a click', async ({ deckhand, model }) => {
  test.setTimeout(240_000)
  const { env, program, endTmux } = ownFolders(deckhand)
  // An engine with one container, which is this machine.
  program(
    'docker',
    `case $1 in ps) printf 'web\\tbusybox\\n' ;; exec) while [ "$1" != web ]; do shift; done; shift; exec "$@" ;; esac`,
  )
  for (const name of ['podman', 'kubectl']) program(name, 'exit 1')
  try {
    const window = await deckhand.relaunch({ env })
    await openPage(window, 'Nodes')
    await window.getByRole('button', { name: 'Add node' }).click()
    await window.getByRole('radio', { name: 'Container' }).click()
    const form = window.getByRole('form', { name: 'Add a node' })
    await form.getByRole('button', { name: 'docker:web' }).click()
    await bringAxe(window)
    await expectNoBarriers(deckhand, 'form for a container')
    await picture(deckhand, 'container-form')
    await form.getByRole('button', { name: 'Connect' }).click()
    await expect(nodeCard(window, 'web')).toContainText('container:web', { timeout: 60_000 })

    await window.getByRole('button', { name: 'Add node' }).click()
    await window.getByRole('radio', { name: 'tmux on this machine' }).click()
    await picture(deckhand, 'tmux-form')
    await form.getByRole('button', { name: 'Connect' }).click()
    await expect(nodeCard(window, 'tmux')).toContainText(/tmux attach -t buddy-/, { timeout: 60_000 })

    const command = 'stty -echo; printf "password: "; read word; stty echo; echo; echo inside the container'
    model.push(calls('Bash', { command, node: 'web' }), says('Both work.'))
    await sessionRow(window, 'New session').click()
    await say(window, 'Look inside')
    await answer(card(window, 'web'), 'Allow once')
    const asking = pane(window, /inside the container/)
    await expect(asking).toContainText(/Waiting for your input/, { timeout: 60_000 })
    await picture(deckhand, 'container-password')
    await typeInto(asking, 'sesame\n')
    await expect(window.getByText('Both work.')).toBeVisible({ timeout: 60_000 })
    await expect(screenOf(pane(window, /inside the container/))).toContainText('inside the container')
    await openPage(window, 'Nodes')
    const more = async (name: string, item: string) => {
      await nodeCard(window, name)
        .getByRole('button', { name: `More for ${name}` })
        .click()
      await window.getByRole('menuitem', { name: item }).click()
    }
    await more('web', 'Rename…')
    await window.getByRole('dialog').getByLabel('Name').fill('crate')
    await picture(deckhand, 'container-rename')
    await window.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await expect(nodeCard(window, 'crate')).toContainText('container:web')
    await more('crate', 'Remove…')
    await window.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(nodeCard(window, 'crate')).toBeHidden()
  } finally {
    // Before the app: its server was started by it, and Playwright waits for all that it has started.
    endTmux()
    await deckhand.quit()
  }
})

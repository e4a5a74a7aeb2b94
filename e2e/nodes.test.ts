import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright'
import { type Deckhand, expect, test } from './app'
import { calls, gate, says } from './scripted-model'
import {
  answer,
  card,
  chooseMode,
  lastRequest,
  openPage,
  pane,
  picture,
  say,
  screenOf,
  sessionRow,
  typeInto,
} from './steps'

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))

const nodeCard = (window: Page, name: string): Locator =>
  window.getByRole('list', { name: 'Nodes' }).getByRole('article', { name, exact: true })

/** Adds a node by the form and hands over the command that the window shows. */
async function invite(window: Page, name: string): Promise<string> {
  await openPage(window, 'Nodes')
  await window.getByRole('button', { name: 'Add node' }).click()
  const form = window.getByRole('form', { name: 'Add a node' })
  await form.getByLabel('Name').fill(name)
  await form.getByRole('button', { name: 'Show command' }).click()
  const invitation = window.getByRole('region', { name: `Command for ${name}` })
  await expect(invitation).toContainText('Waiting for it to connect')
  return (await invitation.locator('code').textContent()) ?? ''
}

/** Runs the command as its reader would, in a folder and a home of its own: another machine, as far as this one can be. */
function runNode(deckhand: Deckhand, command: string, name: string): ChildProcess {
  const [program, ...args] = command.split(' ')
  expect(program).toBe('deckhand')
  const folder = folderOf(deckhand, name)
  mkdirSync(folder, { recursive: true })
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  return spawn(process.execPath, [join(checkout, 'bin/deckhand.mjs'), ...args], {
    cwd: folder,
    env: { ...env, HOME: folder },
    stdio: 'ignore',
  })
}

const folderOf = (deckhand: Deckhand, name: string) => join(dirname(deckhand.dataDir), `machine-${name}`)

async function addNode(deckhand: Deckhand, name: string): Promise<{ process: ChildProcess; command: string }> {
  // An address of this machine that is there in every network, and in none.
  const command = (await invite(deckhand.window, name)).replace(/wss:\/\/[^ ]+(?=:\d+ )/, 'wss://127.0.0.1')
  const process = runNode(deckhand, command, name)
  const invitation = deckhand.window.getByRole('region', { name: `Command for ${name}` })
  await expect(invitation).toContainText('Connected', { timeout: 60_000 })
  await invitation.getByRole('button', { name: 'Close' }).click()
  return { process, command }
}

test('a node is added, runs a command in the deck, loses its cable and comes back', async ({ deckhand, model }) => {
  const { window } = deckhand
  const added = await addNode(deckhand, 'far')
  await expect(nodeCard(window, 'far')).toContainText(/online/)
  await expect(nodeCard(window, 'far')).toContainText('Linux')
  await picture(deckhand, 'nodes')

  const command = 'echo over there in $(basename $PWD); sleep 300'
  model.push(calls('Bash', { command, node: 'far' }), says('It was lost.'))
  await sessionRow(window, 'New session').click()
  await say(window, 'Run it far away')
  await expect(card(window)).toContainText('far')
  await answer(card(window), 'Allow once')
  const terminal = pane(window, /over there/)
  await expect(terminal).toContainText('on far')
  await expect(screenOf(terminal)).toContainText('over there in machine-far')
  await picture(deckhand, 'node-terminal')

  // As when the cable is pulled: no goodbye.
  added.process.kill('SIGKILL')
  await expect(window.getByText('It was lost.')).toBeVisible()
  expect(lastRequest(deckhand)).toMatch(/far/)
  await expect(terminal.locator('.terminal-state')).toHaveText('connection lost')
  await openPage(window, 'Nodes')
  await expect(nodeCard(window, 'far')).toContainText('offline')

  runNode(deckhand, added.command, 'far')
  await expect(nodeCard(window, 'far')).toContainText('online', { timeout: 60_000 })
  model.push(calls('Bash', { command: 'echo back again', node: 'far' }), says('It is back.'))
  await sessionRow(window, /Run it far away/).click()
  // Its process ended with it, and now that is known.
  await expect(terminal.locator('.terminal-state')).toHaveText('lost')
  await chooseMode(window, 'Allow everything')
  await say(window, 'Once more')
  await expect(window.getByText('It is back.')).toBeVisible()
  await expect(screenOf(pane(window, /echo back again/))).toContainText('back again')
})

test('a terminal of one’s own on a node can be typed into, over an encrypted connection', async ({ deckhand }) => {
  const { window } = deckhand
  await openPage(window, 'Nodes')
  await window.getByRole('button', { name: 'Change where it listens' }).click()
  await window.getByLabel('Reachable from').click()
  await window.getByRole('option', { name: /All networks/ }).click()
  const added = await addNode(deckhand, 'far')
  expect(added.command).toMatch(/--gateway wss:\/\/\S+ .*--pin sha256:/)
  await expect(window.getByRole('region', { name: 'Gateway' })).toContainText('Traffic is encrypted')
  await picture(deckhand, 'nodes-encrypted')
  await nodeCard(window, 'far').getByRole('button', { name: 'More for far' }).click()
  await window.getByRole('menuitem', { name: 'Open terminal' }).click()
  const terminal = window.getByRole('region', { name: 'Terminals' }).getByRole('article').first()
  await expect(terminal).toContainText('on far')
  await typeInto(terminal, 'echo $((6 * 7)) from $(basename $PWD)\r')
  await expect(screenOf(terminal)).toContainText('42 from machine-far')
})

test('a node’s token is replaced, it is renamed, and at last it is revoked', async ({ deckhand }) => {
  const { window } = deckhand
  const first = await addNode(deckhand, 'far')
  const more = async (name: string, item: RegExp) => {
    await nodeCard(window, name)
      .getByRole('button', { name: `More for ${name}` })
      .click()
    await window.getByRole('menuitem', { name: item }).click()
  }

  await nodeCard(window, 'far').getByRole('button', { name: /^Log/ }).click()
  await expect(nodeCard(window, 'far').getByRole('region', { name: 'Log of far' })).toContainText(/connect/i)

  await more('far', /New token/)
  await window.getByRole('button', { name: 'Create token' }).click()
  const invitation = window.getByRole('region', { name: 'Command for far' })
  const second = (await invitation.locator('code').textContent()) ?? ''
  expect(second).not.toBe(first.command)
  await expect(nodeCard(window, 'far')).toContainText('offline')
  first.process.kill()
  runNode(deckhand, second, 'far')
  await expect(invitation).toContainText('Connected', { timeout: 60_000 })

  await more('far', /Rename/)
  await window.getByRole('dialog').getByLabel('Name').fill('near')
  await window.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect(nodeCard(window, 'near')).toContainText('online')

  await more('near', /Revoke/)
  await window.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(nodeCard(window, 'near')).toHaveCount(0)
  const stranger = runNode(deckhand, second, 'far')
  await new Promise((resolve) => stranger.once('exit', resolve))
  await expect(window.getByRole('list', { name: 'Nodes' }).getByRole('article')).toHaveCount(1)
})

const megabytes = Number(process.env.DECKHAND_TRANSFER_MB ?? 500)

test('a large file travels between two nodes while the window stays alive', async ({ deckhand, model }) => {
  test.slow()
  const { window } = deckhand
  await addNode(deckhand, 'left')
  await addNode(deckhand, 'right')
  const source = join(folderOf(deckhand, 'left'), 'big.bin')
  const target = join(folderOf(deckhand, 'right'), 'big.bin')
  writeFileSync(source, Buffer.alloc(megabytes * 1_000_000, 'deckhand'))

  await sessionRow(window, 'New session').click()
  await chooseMode(window, 'Allow everything')
  const asked = gate()
  model.push(
    calls('MoreTools', { names: ['Transfer'] }),
    [{ gate: asked }, { call: 'Transfer', args: { source: `left:${source}`, destination: `right:${target}` } }],
    says('It is there.'),
  )
  await say(window, 'Bring the file over')
  await asked.reached
  await openPage(window, 'Nodes')
  const frames = countFrames(window)
  asked.open()
  const transfers = window.getByRole('region', { name: 'Transfers' })
  await expect(transfers).toContainText('big.bin')
  await expect(transfers).toContainText(`${megabytes} MB in`, { timeout: 120_000 })
  const { longestMs } = await frames()
  expect(longestMs, 'the longest the window stood still').toBeLessThan(1000)

  expect(statSync(target).size).toBe(megabytes * 1_000_000)
  expect(readFileSync(target).equals(readFileSync(source))).toBe(true)
  await sessionRow(window, /Bring the file over/).click()
  await expect(window.getByText('It is there.')).toBeVisible()
})

/** Watches the frames of the window until the answer is asked for. */
function countFrames(window: Page): () => Promise<{ longestMs: number }> {
  const started = window.evaluate(() => {
    const watch = { longestMs: 0, last: performance.now(), on: true }
    Object.assign(globalThis, { watch })
    const look = (now: number) => {
      watch.longestMs = Math.max(watch.longestMs, now - watch.last)
      watch.last = now
      if (watch.on) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  return async () => {
    await started
    return window.evaluate(() => {
      const { watch } = globalThis as unknown as { watch: { longestMs: number; on: boolean } }
      watch.on = false
      return { longestMs: watch.longestMs }
    })
  }
}

/** What the window does when the disk is full, the database locked or the database damaged. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import electron from 'electron'
import { type Deckhand, expect, test } from './app'
import { calls, says } from './scripted-model'
import { answer, card, pane, picture, say, sessionRow, toolLine } from './steps'

/** Puts the data folder on a small disk of its own. Only root can. */
async function smallDisk(deckhand: Deckhand, size: string): Promise<() => void> {
  await deckhand.quit()
  const copy = `${deckhand.dataDir}-copy`
  spawnSync('cp', ['-a', deckhand.dataDir, copy])
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'deckhand-test', deckhand.dataDir])
  test.skip(mounted.status !== 0, 'a small disk can only be made by root')
  spawnSync('cp', ['-a', `${copy}/.`, deckhand.dataDir])
  return () => void spawnSync('umount', ['-l', deckhand.dataDir])
}

test('a disk that fills up during a turn: the turn ends and says so, and one click goes on', async ({
  deckhand,
  model,
}) => {
  test.skip(process.platform !== 'linux', 'needs mount')
  const unmount = await smallDisk(deckhand, '60m')
  try {
    const window = await deckhand.relaunch()
    const filler = join(deckhand.dataDir, 'filler')
    const go = join(deckhand.workspace, 'go')
    // What it prints is more than the database has room for, once the disk is full.
    model.push(
      calls('Bash', { command: `touch waits; until [ -e ${go} ]; do sleep 0.1; done; seq 1 12000; echo the-end` }),
    )
    model.push(says('There is space again.'))
    await say(window, 'Count')
    await answer(card(window), 'Allow once')
    await expect(pane(window, /until/)).toBeVisible()
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'])
    writeFileSync(go, '')
    await expect(
      window.getByText(`The disk that holds ${deckhand.dataDir} is full: nothing more could be saved.`),
    ).toBeVisible()
    await expect(window.getByText('Free some space, then try again.')).toBeVisible()
    // The command has ended, and the window can be used.
    await expect(toolLine(window, /until/)).toBeVisible()
    await expect(window.getByRole('button', { name: 'Stop', exact: true })).toBeHidden()
    await picture(deckhand, 'full-disk')

    // Still full: the message stays in the box, and the words are the same.
    await say(window, 'Are you there?')
    await expect(window.getByText(/is full: nothing more could be saved. Free some space/).first()).toBeVisible()
    await expect(window.getByLabel('Message to Deckhand')).toHaveValue('Are you there?')

    rmSync(filler)
    await window.getByRole('button', { name: 'Try again' }).click()
    await expect(window.getByText('There is space again.')).toBeVisible()
    // The result of the command was kept, and says what the disk had no room for.
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toMatch(/the-end|could not be kept/)
    const again = await deckhand.relaunch()
    await expect(again.getByText('There is space again.')).toBeVisible()
  } finally {
    await deckhand.quit()
    unmount()
  }
})

test('a damaged database: what could be saved is told, and the backup brings the rest back', async ({
  deckhand,
  model,
}) => {
  model.push(says('Kept in the backup.'))
  await say(deckhand.window, 'Remember the lighthouse')
  await expect(deckhand.window.getByText('Kept in the backup.')).toBeVisible()
  await deckhand.quit()
  const path = join(deckhand.dataDir, 'deckhand.db')
  copyFileSync(path, join(deckhand.dataDir, 'deckhand.backup.db'))
  writeFileSync(path, 'garbage '.repeat(10_000))

  const window = await deckhand.relaunch()
  const dialog = window.getByRole('dialog', { name: 'The database was damaged' })
  await expect(dialog.getByText(/^The damaged file was kept as /)).toBeVisible()
  await expect(dialog.getByText(/has 1 session and 2 messages that are missing here/)).toBeVisible()
  await picture(deckhand, 'damaged-database')
  expect(readdirSync(deckhand.dataDir).some((name) => name.startsWith('deckhand.db.broken-'))).toBe(true)
  await dialog.getByRole('button', { name: 'Restore from backup' }).click()
  await sessionRow(window, 'Remember the lighthouse').click()
  await expect(window.getByText('Kept in the backup.')).toBeVisible()
})

test('a database that another program holds at the start is waited for, with a word', async ({ deckhand }) => {
  await deckhand.quit()
  const program = `
    const { DatabaseSync } = require('node:sqlite')
    new DatabaseSync(process.argv[1]).exec('BEGIN EXCLUSIVE')
    process.stdout.write('locked')
    process.stdin.on('end', () => process.exit(0)).resume()`
  const holder = spawn(electron as unknown as string, ['-e', program, join(deckhand.dataDir, 'deckhand.db')], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  })
  await once(holder.stdout, 'data')
  try {
    const window = await deckhand.relaunch()
    await expect(window.getByText('Waiting for the database, which another program has locked…')).toBeVisible()
    await picture(deckhand, 'locked-database')
    holder.stdin.end()
    await expect(window.getByLabel('Message to Deckhand')).toBeVisible()
  } finally {
    holder.kill()
  }
})

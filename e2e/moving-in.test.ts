import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { writeHomes } from '../src-main/moving-in/test-homes'
import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { says } from './scripted-model'
import { picture, say, sessionRow } from './steps'

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))

test('what other agents have is offered at the first start, shown, ticked and taken', async ({ deckhand, model }) => {
  const { workspace, dataDir } = deckhand
  const home = join(dirname(workspace), 'home')
  writeHomes(home, workspace)
  const before = readFileSync(join(home, '.claude/settings.json'), 'utf8')
  const window = await deckhand.relaunch()
  await expect(
    window.getByText('You have used Claude Code, Codex, opencode, Gemini CLI and VS Code here.'),
  ).toBeVisible()
  await picture(deckhand, 'import-offer')
  await window.getByRole('button', { name: 'See what can be imported' }).click()

  const claude = window.getByRole('region', { name: 'Claude Code' })
  const rule = claude.getByRole('checkbox', { name: 'allow Bash(cargo build:*)' })
  await expect(rule).not.toBeChecked()
  await expect(claude.getByRole('checkbox', { name: 'allow Bash', exact: false }).last()).toBeVisible()
  await expect(claude.getByText('It speaks of every command', { exact: false }).first()).toBeVisible()
  await bringAxe(window)
  await expectNoBarriers({ ...deckhand, window }, 'import')
  await picture(deckhand, 'import')
  await rule.check()
  // Servers are started when they are added; these have no program here.
  for (const region of await window.getByRole('region', { name: 'MCP servers' }).all())
    for (const box of await region.getByRole('checkbox').all())
      if ((await box.isEnabled()) && (await box.isChecked())) await box.uncheck()
  await window.getByRole('button', { name: /^Import \d+ items$/ }).click()
  await expect(window.getByText(/^\d+ items imported\.$/)).toBeVisible()
  await expect(claude.getByText('imported', { exact: true }).first()).toBeVisible()
  // The servers that were left out are not offered again by themselves.
  await expect(window.getByRole('button', { name: 'Import 0 items' })).toBeDisabled()
  await picture(deckhand, 'import-done')
  expect(existsSync(join(dataDir, 'commands/review.md'))).toBe(true)
  expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toBe(before)

  await sessionRow(window, 'A boat').click()
  await expect(window.getByText('With oars?')).toBeVisible()
  await expect(window.getByText(/^Imported from Claude Code/)).toBeVisible()
  model.push(says('Yes, two.'))
  await say(window, 'How many oars?')
  await expect(window.getByText('Yes, two.')).toBeVisible()
  const request = JSON.stringify(model.requests.at(-1)?.body.messages)
  for (const words of ['Build a boat', 'With oars?', 'Answer in English.']) expect(request).toContain(words)
})

test('the command line lists it, and takes it once somebody agrees', async ({ deckhand }) => {
  const { workspace } = deckhand
  const root = dirname(workspace)
  await deckhand.quit()
  writeHomes(join(root, 'other'), workspace)
  const words = ['import', '--data', join(root, 'cli-data'), '--from', join(root, 'other')]
  const run = (...more: string[]) =>
    promisify(execFile)(process.execPath, [join(checkout, 'bin/deckhand.mjs'), ...words, ...more], {
      env: { ...process.env, HOME: join(root, 'home') },
    })
  const { items } = JSON.parse((await run('--dry-run', '--json')).stdout)
  expect(items.length).toBeGreaterThan(50)
  expect((await run('--dry-run')).stdout).toContain('not imported')
  await expect(run()).rejects.toMatchObject({ code: 1 })
  const wanted = items.find(({ name }: { name: string }) => name === '/review')
  expect((await run('--take', wanted.id, '--yes')).stdout).toContain('Added the slash command /review.')
  await expect(run('--take', 'nonsense', '--yes')).rejects.toMatchObject({ code: 2 })
})

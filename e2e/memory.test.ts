import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { calls, says } from './scripted-model'
import { openPage, picture, say, toolLine } from './steps'

test('a note is found by what it means, recalled in an answer, and the recall is shown', async ({
  deckhand,
  model,
}) => {
  const { window, dataDir } = deckhand
  const own = join(dataDir, 'agents/main')
  mkdirSync(join(own, 'memory'), { recursive: true })
  writeFileSync(join(own, 'MEMORY.md'), '# Memory\n\n- My sister Ilse is allergic to peanuts.\n- I live in Lisbon.\n')
  writeFileSync(join(own, 'memory/2026-11-15.md'), 'The kitchen tap drips; the plumber comes on Tuesday.\n')

  await openPage(window, 'Memory')
  await expect(window.getByText('3 passages in 2 notes')).toBeVisible()
  await expect(window.getByRole('textbox', { name: 'Text of MEMORY.md' })).toHaveValue(/Ilse/)
  await picture(deckhand, 'memory')
  const search = window.getByRole('searchbox', { name: 'Search memory' })
  await search.fill('Which foods are dangerous for a relative?')
  await expect(window.getByRole('article', { name: 'MEMORY.md, line 3' })).toContainText('peanuts', { timeout: 60_000 })
  await picture(deckhand, 'memory-found')
  await search.fill('How many moons does Jupiter have?')
  await expect(window.getByRole('heading', { name: 'No notes about this' })).toBeVisible({ timeout: 30_000 })

  // A change on disk is noticed, and a note opens from what was found.
  await search.fill('leaking water')
  await window.getByRole('button', { name: 'memory/2026-11-15.md' }).click({ timeout: 30_000 })
  const note = window.getByRole('textbox', { name: 'Text of memory/2026-11-15.md' })
  await note.fill('The kitchen tap drips; the plumber comes on Friday.\n')
  await note.press('Control+s')
  await expect.poll(() => readFileSync(join(own, 'memory/2026-11-15.md'), 'utf8')).toContain('Friday')

  model.push(calls('Memory', { action: 'search', query: 'repair of the sink' }), says('He comes on Friday.'))
  await window.getByRole('button', { name: 'New session', exact: true }).first().click()
  await say(window, 'When does the plumber come?')
  await expect(window.getByText('He comes on Friday.')).toBeVisible({ timeout: 60_000 })
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('comes on Friday')
  await toolLine(window, 'Memory').click()
  await expect(window.getByText('memory/2026-11-15.md').first()).toBeVisible()
  await picture(deckhand, 'memory-in-an-answer')

  await openPage(window, 'Memory')
  await window.getByRole('radio', { name: 'Recalled' }).click()
  const recall = window.getByRole('article', { name: 'repair of the sink' })
  await expect(recall).toContainText('plumber comes on Friday')
  await picture(deckhand, 'memory-recalled')
})

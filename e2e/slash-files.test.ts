import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from './app'
import { says } from './scripted-model'
import { composer, lastRequest, openPage, picture } from './steps'

test('commands and skills of a project are completed in the composer and used', async ({ deckhand, model }) => {
  const { window, workspace, dataDir } = deckhand
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  write(
    join(workspace, '.claude/commands/fix-issue.md'),
    '---\ndescription: Fix an issue\nargument-hint: [number]\n---\nFix issue #$1 and write a test.',
  )
  write(join(dataDir, 'commands/tidy.md'), 'Tidy up $ARGUMENTS.')
  write(
    join(workspace, '.agents/skills/release/SKILL.md'),
    '---\nname: release\ndescription: How to make a release\n---\nTag, build, publish.',
  )
  await composer(window).fill('/')
  const list = window.getByRole('listbox', { name: 'Commands' })
  for (const name of ['/fix-issue', '/tidy', '/release']) await expect(list.getByText(name)).toBeVisible()
  await picture(deckhand, 'slash-files')
  await composer(window).fill('/fix')
  await composer(window).press('Tab')
  await expect(composer(window)).toHaveValue('/fix-issue ')
  await composer(window).pressSequentially('42')
  model.push(says('Fixed.'), says('Released.'))
  await composer(window).press('Enter')
  await expect(window.getByText('Fixed.')).toBeVisible()
  expect(lastRequest(deckhand)).toContain('Fix issue #42 and write a test.')
  // The prompt lists the skill by its name; its text comes with the command.
  expect(lastRequest(deckhand)).toContain('- release: How to make a release')
  expect(lastRequest(deckhand)).not.toContain('Tag, build, publish.')
  await composer(window).fill('/release 1.0')
  await composer(window).press('Enter')
  await expect(window.getByText('Released.')).toBeVisible()
  expect(lastRequest(deckhand)).toContain('Tag, build, publish.')
  await openPage(window, 'Skills')
  await expect(window.getByRole('article', { name: 'release' }).getByText('from this project')).toBeVisible()
})

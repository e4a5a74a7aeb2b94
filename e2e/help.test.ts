import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Deckhand, expect, test } from './app'
import { composer, picture } from './steps'

/** Boxes of the system are answered here: the report is saved to `file` once `saveReport` was called. */
const answerBoxes = (deckhand: Deckhand, file: string): Promise<void> =>
  deckhand.app.evaluate(({ dialog }, filePath) => {
    const asked = globalThis as unknown as { answer?: (value: { response: number; checkboxChecked: boolean }) => void }
    dialog.showMessageBox = () =>
      new Promise((resolve) => {
        asked.answer = resolve
      })
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, file)

/** Waits for the window with the report, checks that nothing was saved yet, and saves. Answers with the file's text. */
async function saveReport(deckhand: Deckhand, file: string, open: () => Promise<unknown>): Promise<string> {
  const preview = deckhand.app.waitForEvent('window')
  await open()
  const page = await preview
  await expect.poll(() => page.title()).toBe('Deckhand problem report')
  expect(existsSync(file)).toBe(false)
  await expect
    .poll(() =>
      deckhand.app.evaluate(() => {
        const { answer } = globalThis as unknown as { answer?: (value: object) => void }
        answer?.({ response: 0, checkboxChecked: false })
        return answer !== undefined
      }),
    )
    .toBe(true)
  // It is there before all of it is written.
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toContain('</html>')
  return readFileSync(file, 'utf8')
}

test('Help → Report a problem shows the whole report before it is saved as one file', async ({ deckhand }) => {
  const file = join(deckhand.workspace, 'report.html')
  await answerBoxes(deckhand, file)
  const saved = await saveReport(deckhand, file, () =>
    deckhand.app.evaluate(({ Menu }) => {
      const help = Menu.getApplicationMenu()?.items.find(({ role }) => role === 'help')
      help?.submenu?.items.find(({ label }) => label.startsWith('Report a problem'))?.click()
    }),
  )
  for (const text of [
    '<h2>Versions</h2>',
    '<h2>Settings</h2>',
    'defaultMode',
    '<h2>Log (last lines)</h2>',
    'data:image/png',
  ])
    expect(saved).toContain(text)
})

test('a start after a crash offers to report it, until it is dismissed', async ({ deckhand }) => {
  const file = join(deckhand.workspace, 'report.html')
  await deckhand.kill()
  const window = await deckhand.relaunch()
  const note = window.getByRole('listitem').filter({ hasText: 'Deckhand quit unexpectedly last time.' })
  await expect(note).toBeVisible()
  await expect(window.getByText('Inbox', { exact: true })).toBeVisible()
  // It stays, so it moves out of the way.
  const below = async () => {
    const [own, field] = [await note.boundingBox(), await composer(window).boundingBox()]
    return own && field ? own.y + own.height - field.y : Number.NaN
  }
  await expect.poll(below).toBeLessThanOrEqual(0)
  await picture(deckhand, 'help-crash')
  await answerBoxes(deckhand, file)
  const saved = await saveReport(deckhand, file, () => note.getByRole('button', { name: 'Report a problem' }).click())
  expect(saved).toContain('<h2>Log (last lines)</h2>')
  await expect(note).toBeHidden()
  const later = await deckhand.relaunch()
  await expect(composer(later)).toBeVisible()
  await expect(later.getByText('Deckhand quit unexpectedly last time.')).toHaveCount(0)
})

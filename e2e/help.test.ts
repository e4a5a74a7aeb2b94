import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'

test('Help → Report a problem shows the whole report before it is saved as one file', async ({ deckhand }) => {
  const file = join(deckhand.workspace, 'report.html')
  const preview = deckhand.app.waitForEvent('window')
  await deckhand.app.evaluate(({ dialog, Menu }, filePath) => {
    const asked = globalThis as unknown as { answer?: (value: { response: number; checkboxChecked: boolean }) => void }
    dialog.showMessageBox = () =>
      new Promise((resolve) => {
        asked.answer = resolve
      })
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
    const help = Menu.getApplicationMenu()?.items.find(({ role }) => role === 'help')
    help?.submenu?.items.find(({ label }) => label.startsWith('Report a problem'))?.click()
  }, file)
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
  const saved = readFileSync(file, 'utf8')
  for (const text of [
    '<h2>Versions</h2>',
    '<h2>Settings</h2>',
    'defaultMode',
    '<h2>Log (last lines)</h2>',
    'data:image/png',
  ])
    expect(saved).toContain(text)
})

test('a start after a crash offers to report it', async ({ deckhand }) => {
  await deckhand.kill()
  const window = await deckhand.relaunch()
  await expect(window.getByText(/Deckhand quit unexpectedly last time/).first()).toBeVisible()
})

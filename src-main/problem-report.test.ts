import { expect, test } from 'vitest'
import { problemReport } from './problem-report'
import { redact } from './redact'

const parts = {
  at: new Date(0),
  version: '1.2.3',
  versions: { electron: '45.3.2', system: 'linux x64' },
  settings: { theme: 'dark', proxy: 'http://me:hunter22@proxy' },
  logLines: ['{"msg":"authorization: Bearer abcdefghijklmnop"}', '<script>alert(1)</script>'],
  screenshot: Buffer.from('png'),
  clean: (text: string) => redact(text).replaceAll('/home/me', '~'),
}

test('a report holds versions, settings, log and picture in one page that runs nothing', () => {
  const page = problemReport(parts)
  for (const text of ['Deckhand 1.2.3', 'electron 45.3.2', 'theme', 'data:image/png;base64,cG5n', "default-src 'none'"])
    expect(page).toContain(text)
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page).not.toMatch(/<script|javascript:|https?:\/\/(?!\[hidden\])/)
})

test('no secret is in a report', () => {
  const page = problemReport(parts)
  expect(page).not.toContain('hunter22')
  expect(page).not.toContain('abcdefghijklmnop')
  expect(problemReport({ ...parts, screenshot: null })).not.toContain('<img alt')
})

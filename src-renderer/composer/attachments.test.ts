import { expect, test } from 'vitest'
import { readFile, toBase64 } from './attachments'

test('text goes as text, images as base64', async () => {
  expect(await readFile(new File(['hello'], 'a.ts'))).toEqual({
    attachment: { name: 'a.ts', mimeType: 'text/plain', data: 'hello' },
  })
  expect(await readFile(new File([new Uint8Array([1, 2, 255])], 'a.png', { type: 'image/png' }))).toEqual({
    attachment: { name: 'a.png', mimeType: 'image/png', data: 'AQL/' },
  })
})

test('what is neither, or too large, is refused with a reason', async () => {
  expect(await readFile(new File(['a\0b'], 'a.bin'))).toEqual({ problem: 'a.bin is neither text nor an image.' })
  const large = await readFile(new File(['x'.repeat(1_000_001)], 'big.log'))
  expect('problem' in large && large.problem).toContain('larger than 1 MB')
})

test('base64 holds for more bytes than fit one call', () => {
  const bytes = new Uint8Array(100_000).map((_, at) => at % 256)
  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
})

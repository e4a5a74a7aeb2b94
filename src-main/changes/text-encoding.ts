/** Encodings that count as text; a file is written back in the encoding it had. */
export type TextEncoding = 'utf8' | 'utf8-bom' | 'utf16le' | 'utf16be'

export interface DecodedText {
  text: string
  encoding: TextEncoding
}

/** The text of a file, without its byte order mark; `null` for anything that is not text. */
export function decodeText(bytes: Buffer): DecodedText | null {
  const utf16 = decodeUtf16(bytes)
  if (utf16) return utf16
  if (bytes.includes(0)) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.startsWith('\uFEFF') ? { text: text.slice(1), encoding: 'utf8-bom' } : { text, encoding: 'utf8' }
  } catch {
    // The decoder throws for anything that is not UTF-8.
    return null
  }
}

export function encodeText(text: string, encoding: TextEncoding): Buffer {
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text)
    case 'utf8-bom':
      return Buffer.from(`\uFEFF${text}`)
    case 'utf16le':
      return Buffer.from(`\uFEFF${text}`, 'utf16le')
    case 'utf16be':
      return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()
  }
}

/**
 * Only with a byte order mark, and only if the result reads like text: binary files can start with the same two bytes.
 */
function decodeUtf16(bytes: Buffer): DecodedText | null {
  const little = bytes[0] === 0xff && bytes[1] === 0xfe
  const big = bytes[0] === 0xfe && bytes[1] === 0xff
  if ((!little && !big) || bytes.length % 2 !== 0) return null
  const body = Buffer.from(bytes.subarray(2))
  const text = (little ? body : body.swap16()).toString('utf16le')
  const reads = text.isWellFormed() && /[\n ]/.test(text) && !/[\0-\x08\x0E-\x1A\x1C-\x1F\uFFFE\uFFFF]/.test(text)
  return reads ? { text, encoding: little ? 'utf16le' : 'utf16be' } : null
}

/** Decodes a body by the charset in the header or in the page itself, else as UTF-8. */
export function decodeBody(body: Buffer, contentType: string): string {
  const named = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? metaCharset(body)
  return decoderFor(named).decode(body)
}

function metaCharset(body: Buffer): string | undefined {
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  return /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(body.toString('latin1', 0, 2048))?.[1]
}

function decoderFor(charset = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch {
    // Unknown charset.
    return new TextDecoder()
  }
}

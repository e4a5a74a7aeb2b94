/**
 * The address of a link that may be shown and opened; otherwise nothing. Only http and https, never a scheme that runs
 * something.
 */
export function safeLink(url: string): string | undefined {
  const parsed = URL.parse(url.trim())
  if (!parsed) return undefined
  return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : undefined
}

/**
 * Images are shown only if they are part of the message itself; the server of a remote one would learn that it was
 * viewed.
 */
export function safeImage(url: string): string | undefined {
  return /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml);base64,/i.test(url) ? url : undefined
}

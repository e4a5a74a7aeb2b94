/** The address of a link that may be shown and opened, or nothing: only the web, never a scheme that runs something. */
export function safeLink(url: string): string | undefined {
  const parsed = URL.parse(url.trim())
  if (!parsed) return undefined
  return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : undefined
}

/** Images are shown only when they are part of the message itself; a remote one would tell its server that we looked. */
export function safeImage(url: string): string | undefined {
  return /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml);base64,/i.test(url) ? url : undefined
}

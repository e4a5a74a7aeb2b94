const patterns: [RegExp, string][] = [
  [/\b(bearer|basic)\s+[\w.~+/*=-]{6,}/gi, '$1 [redacted]'],
  [
    /(["']?(?:x-api-key|api[-_]?key|authorization|access[-_]?token)["']?\s*[:=]\s*["']?)(?!bearer\b|basic\b)[^\s"',;}]{4,}/gi,
    '$1[redacted]',
  ],
  [/\b(?:sk|pk|rk|gsk|xai|hf|ghp|gho|pplx|nvapi|r8)[-_][\w*.-]{8,}/g, '[redacted]'],
  [/\bAIza[\w*-]{16,}/g, '[redacted]'],
]

/** Takes keys out of a text that came from a server: some echo the request, headers and all. */
export const redact = (text: string, secret: string | null): string => {
  let clean = secret && secret.length >= 4 ? text.replaceAll(secret, '[redacted]') : text
  for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement)
  return clean
}

const hidden = '[hidden]'

/** Too short to be a secret, and too likely to be a part of ordinary words. */
const shortestSecret = 4

const names = 'authorization|api[-_]?key|access[-_]?token|password|secret'

/**
 * Shapes of secrets that nobody registered, in plain text and in JSON. A value ends at a quote or a backslash, and
 * literals and brackets of JSON are left alone, so that JSON stays JSON.
 */
const shapes: readonly [RegExp, string][] = [
  [new RegExp(String.raw`((?:${names})"\s*:\s*)-?\d[\d.eE+-]*`, 'gi'), `$1"${hidden}"`],
  [
    new RegExp(
      String.raw`(${names})(\\?["']?\s*[:=]\s*\\?["']?)(?!(?:true|false|null)\b|[[{][\s"'\\[\]{}])` +
        String.raw`(?:(?:bearer|basic|token)\s+)?[^\s"\\,;]+`,
      'gi',
    ),
    `$1$2${hidden}`,
  ],
  [/\b(bearer)\s+[\w.~+/*=-]{6,}/gi, `$1 ${hidden}`],
  // "Basic" also stands before ordinary words.
  [/\b([Bb]asic|BASIC)\s+(?!(?:[A-Z]?[a-z]+|[A-Z]+)(?![\w~+/*=]))[\w.~+/*=-]{6,}/g, `$1 ${hidden}`],
  // Servers show a key with its middle starred out.
  [/\b(?:sk|pk|rk|gsk|xai|hf|gh[pousr]|pplx|nvapi|r8|xox[abp])[-_][\w*.-]{8,}/g, hidden],
  [/\b(?:sk|pk|rk|gsk|hf|gh[pousr]|xox[abp])[A-Za-z0-9][\w-]{14,}/g, hidden],
  [/\bAIza[\w*-]{15,}/g, hidden],
  [/\b(https?:\/\/)[^\s/"@:]+:[^\s/"@]+@/gi, `$1${hidden}@`],
]

/** Takes secrets out of a text: those that are given, and whatever looks like one. */
export const redact = (text: string, secrets: Iterable<string> = []): string => {
  let clean = text
  for (const secret of secrets) if (secret.length >= shortestSecret) clean = clean.replaceAll(secret, hidden)
  for (const [shape, replacement] of shapes) clean = clean.replace(shape, replacement)
  return clean
}

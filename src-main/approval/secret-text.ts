/** Texts that are keys by their very shape, so that ordinary code is not taken for one. */
const SHAPES: readonly [RegExp, string][] = [
  [/-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/, 'a private key'],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/, 'a key of AWS'],
  [/\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}/, 'a key of a model provider'],
  [/\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{30,}|\bgithub_pat_\w{30,}/, 'a token of GitHub'],
  [/\bglpat-[\w-]{20,}/, 'a token of GitLab'],
  [/\bxox[abprs]-[\w-]{10,}/, 'a token of Slack'],
  [/\bAIza[\w-]{35}\b/, 'a key of Google'],
  [/\bnpm_[A-Za-z0-9]{36}\b/, 'a token of npm'],
  [/\bhf_[A-Za-z0-9]{30,}/, 'a token of Hugging Face'],
  [/\b(?:sk|rk)_live_[A-Za-z0-9]{20,}/, 'a key of Stripe'],
  [/\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/, 'a signed token'],
]

/** What kind of secret a text holds, in words; `null` if none is plain to see. */
export const secretInText = (text: string): string | null => SHAPES.find(([shape]) => shape.test(text))?.[1] ?? null

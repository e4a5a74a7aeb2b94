import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { openLoopback } from '../mcp/loopback'
import { troubleIn } from '../network/trouble'
import { redact } from '../redact'

interface OpenRouterSignIn {
  /** Where OpenRouter is. */
  base: string
  fetch: typeof fetch
  /** Shows the user a web page. */
  open(address: string): Promise<boolean> | boolean
  signal: AbortSignal
}

const answer = z.object({ key: z.string().min(1).max(1000) })
const exchangeMs = 30_000
/** OpenRouter is known to accept this one on `localhost`; any other is tried where it is taken. */
const usualPort = 3000

/**
 * Sends the user to OpenRouter with a challenge (PKCE), and exchanges the code that the browser brings back for a key of
 * their account. The address that the browser comes back to holds a secret of this sign-in, so that no other page can
 * bring a code of its own.
 */
export async function signInAtOpenRouter({ base, fetch, open, signal }: OpenRouterSignIn): Promise<string> {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(24).toString('base64url')
  const loopback = await openLoopback(state, { host: 'localhost', ports: [usualPort, 0], stateIn: 'path' })
  try {
    const page = new URL('/auth', base)
    page.searchParams.set('callback_url', loopback.url)
    page.searchParams.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'))
    page.searchParams.set('code_challenge_method', 'S256')
    if (!(await open(page.href))) throw new Error(`The page to sign in at ${page.host} could not be opened.`)
    const { code } = await loopback.redirect(signal)
    return await exchange(new URL('/api/v1/auth/keys', base), { code, code_verifier: verifier }, fetch, signal)
  } finally {
    loopback.close()
  }
}

async function exchange(
  url: URL,
  proof: { code: string; code_verifier: string },
  fetchBy: typeof fetch,
  signal: AbortSignal,
): Promise<string> {
  const response = await fetchBy(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...proof, code_challenge_method: 'S256' }),
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(exchangeMs)]),
  }).catch((error: unknown) => {
    signal.throwIfAborted()
    const trouble = troubleIn(error)
    throw new Error(trouble ? `${trouble.message} ${trouble.hint}` : `${url.host} could not be reached for the key.`)
  })
  const text = (await response.text()).slice(0, 10_000)
  const read = answer.safeParse(jsonOf(text))
  if (response.ok && read.success) return read.data.key
  const said = redact(text.replace(/\s+/g, ' ').slice(0, 200), Object.values(proof))
  throw new Error(`${url.host} gave no key (${response.status})${said && `: ${said}`}. Try to sign in again.`)
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

import { GivenUp, untilSignedIn } from '../sign-in-attempt'
import type { Providers } from './providers'

interface SignInOptions {
  providers: Pick<Providers, 'list' | 'save'>
  fetch: typeof fetch
  /** Where OpenRouter is, where it is not at its usual address. */
  openRouter?: string | undefined
  onKey(key: string): void
  patienceMs?: number
}

export type ProviderSignIns = ReturnType<typeof createProviderSignIns>

/** Sign-ins at providers that permit them to other programs. What comes of one is a key like any other. */
export function createProviderSignIns(options: SignInOptions) {
  const base = options.openRouter || 'https://openrouter.ai'
  let trying: AbortController | null = null

  const signIn = async (open: (address: string) => Promise<boolean> | boolean, signal: AbortSignal): Promise<void> => {
    // Loaded on first use: sign-ins are rare.
    const { signInAtOpenRouter } = await import('./openrouter-sign-in')
    const key = await signInAtOpenRouter({ base, fetch: options.fetch, open, signal })
    options.onKey(key)
    const known = options.providers.list().find((each) => !each.detected && originOf(each.baseUrl) === originOf(base))
    await options.providers.save({
      name: 'OpenRouter',
      kind: 'openai',
      ...(known && { id: known.id, name: known.name, kind: known.kind }),
      baseUrl: known?.baseUrl ?? new URL('/api/v1', base).href,
      key,
      keySource: null,
    })
  }

  return {
    /** True if the user has signed in, false if they gave up. A new attempt ends the one before. */
    async openRouter(open: (address: string) => Promise<boolean> | boolean): Promise<boolean> {
      trying?.abort(new GivenUp())
      const mine = new AbortController()
      trying = mine
      try {
        return await untilSignedIn(mine.signal, (signal) => signIn(open, signal), options.patienceMs)
      } finally {
        if (trying === mine) trying = null
      }
    },
    cancel: (): void => trying?.abort(new GivenUp()),
  }
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '')

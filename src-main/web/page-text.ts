// The extension is required: in tests the worker thread runs directly from the sources.
import { visibleText } from './invisible.ts'

export interface PageText {
  title: string
  /** Markdown. */
  text: string
}

/** Elements that are not visible or not part of the text. */
const unread =
  'script,style,noscript,template,iframe,object,embed,svg,canvas,audio,video,form input,button,select,dialog:not([open]),[hidden],[aria-hidden="true"]'
const hiddenStyle =
  /(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|font-size\s*:\s*0(?:px|em|rem|pt|%)?\s*(?:;|!|$)|clip\s*:\s*rect\(\s*0|(?:left|top|text-indent)\s*:\s*-\d{3,})/i

/** The readable part of a page as Markdown, without anything that is invisible on the page. */
export async function pageText(html: string, address: string): Promise<PageText> {
  const [{ parseHTML }, { Readability }] = await Promise.all([import('linkedom'), import('@mozilla/readability')])
  // Removes styles and scripts before parsing, so that the parser never processes them.
  const bare = html.replace(/<(style|script)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
  const { document } = parseHTML(/<html\b/i.test(bare) ? bare : `<!doctype html><html><body>${bare}</body></html>`)
  removeUnseen(document)
  resolveLinks(document, address)
  const title = visibleText(document.title ?? '').trim()
  const body = document.body?.innerHTML ?? ''
  const article = new Readability(document, { charThreshold: 200, keepClasses: true }).parse()
  const content = article?.content && (article.length ?? 0) > 200 ? article.content : body
  const text = visibleText((await turndown()).turndown(content || ' '))
  return { title: visibleText(article?.title ?? '').trim() || title, text: text.replace(/\n{3,}/g, '\n\n').trim() }
}

function removeUnseen(document: Document): void {
  for (const element of [...document.querySelectorAll(unread)]) element.remove()
  for (const element of [...document.querySelectorAll('[style]')]) {
    if (hiddenStyle.test(element.getAttribute('style') ?? '')) element.remove()
  }
  const comments: Node[] = []
  const visit = (node: Node): void => {
    for (const child of [...node.childNodes]) {
      if (child.nodeType === 8) comments.push(child)
      else visit(child)
    }
  }
  visit(document)
  for (const comment of comments) comment.parentNode?.removeChild(comment)
}

function resolveLinks(document: Document, address: string): void {
  for (const link of [...document.querySelectorAll('a[href]')]) {
    const url = URL.parse(link.getAttribute('href') ?? '', address)
    if (url && /^(?:https?|mailto):$/.test(url.protocol)) link.setAttribute('href', url.href)
    else link.removeAttribute('href')
  }
}

async function turndown() {
  const [{ default: Turndown }, { gfm }] = await Promise.all([
    import('turndown'),
    import('@joplin/turndown-plugin-gfm'),
  ])
  const service = new Turndown({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '_',
  })
  service.use(gfm)
  // For images only the alternative text is kept; the address is of no use in a text.
  service.addRule('images', {
    filter: 'img',
    replacement: (_, node) => {
      const alt = (node as Element).getAttribute('alt')?.trim()
      return alt ? `[image: ${alt}]` : ''
    },
  })
  return service
}

import { ImageOff } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { memo, useState } from 'react'
import { type Components, Streamdown, useIsCodeFenceIncomplete } from 'streamdown'
import { openLink } from '../state/desktop'
import { drawable } from '../state/marks'
import { useExists } from '../state/places'
import { Scroll } from '../ui'
import { CodeBlock } from './CodeBlock'
import { Diagram } from './Diagram'
import { Formula } from './Formula'
import { isTooHeavy } from './heavy'
import { safeImage, safeLink } from './links'
import { formulaMark, markFormulas } from './maths-marks'
import { PathLink } from './PathLink'
import { PlainText } from './PlainText'
import { readPlace } from './place'
import { placesInProse, placeTag } from './places-in-prose'
import { WebImage } from './WebImage'
import './markdown.css'

interface MarkdownProps {
  id: string
  text: string
  streaming: boolean
}

/**
 * Text of a model. Raw HTML in it is shown as text and never becomes elements, links open in the browser after a check
 * of their scheme, and images are loaded only from the message itself, or from the web on a click.
 */
export const Markdown = memo(function Markdown({ id, text, streaming }: MarkdownProps) {
  // A text that was streamed keeps its elements when it ends; one that was loaded is parsed at once.
  const [mode] = useState<'streaming' | 'static'>(streaming ? 'streaming' : 'static')
  const shown = drawable(text)
  if (isTooHeavy(shown)) return <PlainText id={id} text={text} />
  return (
    <Streamdown
      className="chat-markdown"
      mode={mode}
      isAnimating={streaming}
      parseIncompleteMarkdown={streaming}
      rehypePlugins={plugins}
      urlTransform={transformUrl}
      components={components}
      controls={false}
    >
      {markFormulas(shown)}
    </Streamdown>
  )
})

// Raw HTML stays text: the plugin for it is left out, and there is a URL transform. One array for all: a new one would
// make every finished block of a growing text be parsed again.
const plugins = [placesInProse]

function transformUrl(url: string, key: string): string | undefined {
  // What is not in the message itself is never loaded as an image: `Image` asks first.
  return key === 'src' ? (safeImage(url) ?? safeLink(url)) : safeLink(url)
}

/** Plain elements; the library's versions use classes of a style sheet that is not loaded here. */
const plain = Object.fromEntries(
  ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'hr', 'strong', 'blockquote', 'sup', 'sub']
    .concat(['thead', 'tbody', 'tr', 'th', 'td'])
    .map((tag) => [tag, tag]),
)

// The library's type requires every component to accept any props, which ours do not need.
const components = {
  ...plain,
  a: Link,
  img: Image,
  table: Table,
  input: Checkbox,
  code: FencedCode,
  inlineCode: InlineCode,
  [placeTag]: PlaceInProse,
} as Components

function Link({ href, children }: ComponentProps<'a'>) {
  if (!href) return <span>{children}</span>
  return (
    <a
      href={href}
      title={href}
      onClick={(event) => {
        event.preventDefault()
        openLink(href)
      }}
    >
      {children}
    </a>
  )
}

function Image({ src, alt }: ComponentProps<'img'>) {
  if (typeof src === 'string' && safeImage(src)) return <img src={src} alt={alt ?? ''} />
  if (typeof src === 'string' && src) return <WebImage url={src} name={alt ?? ''} />
  return (
    <span className="chat-no-image">
      <ImageOff size={13} aria-hidden /> {alt || 'image'} (not loaded)
    </span>
  )
}

/** The check box of a task list; there are no other inputs in an answer. */
function Checkbox({ checked }: ComponentProps<'input'>) {
  return <input type="checkbox" checked={checked ?? false} disabled aria-label={checked ? 'Done' : 'To do'} />
}

function Table({ children }: ComponentProps<'table'>) {
  return (
    <Scroll className="chat-table" label="Table">
      <table>{children}</table>
    </Scroll>
  )
}

function FencedCode({ className, children }: ComponentProps<'code'>) {
  const waiting = useIsCodeFenceIncomplete()
  const language = /language-(\S+)/.exec(className ?? '')?.[1] ?? ''
  const code = plainText(children).replace(/\n$/, '')
  if (language === 'math' && !waiting) return <Formula tex={code} display />
  if (language === 'mermaid' && !waiting) return <Diagram code={code} />
  return <CodeBlock code={code} language={language} waiting={waiting} />
}

function InlineCode({ children }: { children?: ReactNode }) {
  const text = plainText(children)
  if (text.startsWith(formulaMark)) return <Formula tex={text.slice(formulaMark.length)} display={false} />
  return <CodeOrPath text={text}>{children}</CodeOrPath>
}

/** Inline code is often the name of a file; if the file exists, it links to it. */
function CodeOrPath({ text, children }: { text: string; children: ReactNode }) {
  const place = readPlace(text)
  const there = useExists(place?.path ?? null)
  if (!place || !there) return <code className="chat-inline-code">{children}</code>
  return (
    <PathLink place={place} className="chat-inline-code">
      {children}
    </PathLink>
  )
}

/** A file named in the text becomes a link once it is known to exist. */
function PlaceInProse({ children }: { children?: ReactNode }) {
  const place = readPlace(plainText(children))
  const there = useExists(place?.path ?? null)
  if (!place || !there) return children
  return (
    <PathLink place={place} className="chat-prose-path">
      {children}
    </PathLink>
  )
}

const plainText = (node: ReactNode): string =>
  typeof node === 'string' ? node : Array.isArray(node) ? node.map(plainText).join('') : ''

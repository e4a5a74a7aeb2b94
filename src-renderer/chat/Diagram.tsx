import { Code, Workflow } from 'lucide-react'
import { useEffect, useState } from 'react'
import { longestDiagram } from '../../src-preload/contract/picture-calls'
import { useShownTheme } from '../layout/use-theme'
import { call } from '../state/bridge'
import { IconButton } from '../ui'
import { CodeBlock, CopyButton } from './CodeBlock'
import { Picture } from './Picture'

type Drawn = { src: string } | { problem: string }

/** Finished drawings, so that a row that scrolls back into view shows its own at once. */
const kept = new Map<string, Drawn>()
const mostKept = 30

/** A diagram as a picture, with its source behind a button. It is drawn elsewhere, so that here it is only an image. */
export function Diagram({ code }: { code: string }) {
  const theme = useShownTheme()
  const [asText, setAsText] = useState(false)
  const drawn = useDrawing(code, theme)
  const toggle = (
    <IconButton
      light
      label={asText ? 'Show diagram' : 'Show code'}
      icon={asText ? <Workflow size={14} /> : <Code size={14} />}
      onClick={() => setAsText(!asText)}
    />
  )
  if (!drawn || 'problem' in drawn)
    return (
      <>
        <CodeBlock code={code} language="mermaid" waiting={false} />
        {drawn && <p className="chat-diagram-problem">This diagram cannot be drawn: {drawn.problem}</p>}
      </>
    )
  if (asText) return <CodeBlock code={code} language="mermaid" waiting={false} more={toggle} />
  return (
    <figure className="chat-code" aria-label="Diagram">
      <figcaption className="ui-quiet chat-code-head">
        <span>mermaid</span>
        <span className="chat-code-buttons">
          {toggle}
          <CopyButton text={code} label="Copy code" />
        </span>
      </figcaption>
      <div className="chat-diagram">
        <Picture src={drawn.src} name={`Diagram: ${kindOf(code)}`} />
      </div>
    </figure>
  )
}

/** The first word names the kind of diagram. */
const kindOf = (code: string): string =>
  /^\s*(?:%%[^\n]*\n\s*|---[\s\S]*?---\s*)*([A-Za-z][\w-]*)/.exec(code)?.[1] ?? 'mermaid'

function useDrawing(code: string, theme: 'light' | 'dark'): Drawn | null {
  const key = `${theme} ${code}`
  const [, setDrawn] = useState(0)
  useEffect(() => {
    if (kept.has(key)) return
    let open = true
    const keep = (drawn: Drawn) => {
      const oldest = kept.size >= mostKept ? kept.keys().next().value : undefined
      if (oldest !== undefined) kept.delete(oldest)
      kept.set(key, drawn)
      if (open) setDrawn((count) => count + 1)
    }
    if (code.length > longestDiagram) keep({ problem: 'it is too long.' })
    else if (code.trim() !== '')
      call('diagram.draw', { text: code, theme }).then(
        (answer) => keep('svg' in answer ? { src: imageOf(answer.svg) } : answer),
        (error: Error) => keep({ problem: error.message }),
      )
    return () => {
      open = false
    }
  }, [code, key, theme])
  return kept.get(key) ?? null
}

/** Inside an image, an SVG runs no script and loads nothing. */
const imageOf = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`

import { Check, Copy, WrapText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { copyText } from '../state/desktop'
import { setState, useDeckhand } from '../state/store'
import { IconButton, Scroll } from '../ui'
import { CodeText } from './CodeText'
import { knownLanguage } from './highlight'

interface CodeBlockProps {
  code: string
  language: string
  waiting: boolean
  /** Another button in its header. */
  more?: ReactNode
}

export function CodeBlock({ code, language, waiting, more }: CodeBlockProps) {
  const wrapped = useDeckhand((state) => state.wrapCode)
  const classes = ['chat-code-text', isLong(code) && 'chat-code-long', wrapped && 'chat-code-wrapped']
  return (
    <figure className="chat-code" aria-label={language ? `Code, ${language}` : 'Code'}>
      <figcaption className="ui-quiet chat-code-head">
        <span>{language || 'text'}</span>
        <span className="chat-code-buttons">
          {more}
          <WrapButton wrapped={wrapped} />
          <CopyButton text={code} label="Copy code" />
        </span>
      </figcaption>
      <Scroll className={classes.filter(Boolean).join(' ')} label="Code">
        <code>
          <CodeText code={code} language={knownLanguage(language)} waiting={waiting} />
        </code>
      </Scroll>
    </figure>
  )
}

/** Applies to all code blocks, and is remembered. */
function WrapButton({ wrapped }: { wrapped: boolean }) {
  return (
    <IconButton
      light
      label={wrapped ? 'Do not wrap lines' : 'Wrap lines'}
      icon={<WrapText size={14} />}
      onClick={() => setState({ wrapCode: !wrapped })}
    />
  )
}

/** A long file scrolls on its own; anything shorter is shown whole, so that it can be followed while it is written. */
const isLong = (code: string) => code.split('\n', 202).length > 201

/** Shows for a moment that it worked. */
export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <IconButton
      light
      label={copied ? 'Copied' : label}
      icon={copied ? <Check size={14} /> : <Copy size={14} />}
      onClick={() => {
        copyText(typeof text === 'string' ? text : text())
        setCopied(true)
        setTimeout(() => setCopied(false), 1500)
      }}
    />
  )
}

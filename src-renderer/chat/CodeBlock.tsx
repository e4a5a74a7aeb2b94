import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { copyText } from '../state/actions'
import { IconButton, Scroll } from '../ui'
import { CodeText } from './CodeText'
import { knownLanguage } from './highlight'

export function CodeBlock({ code, language, waiting }: { code: string; language: string; waiting: boolean }) {
  return (
    <figure className="chat-code" aria-label={language ? `Code, ${language}` : 'Code'}>
      <figcaption className="chat-code-head">
        <span>{language || 'text'}</span>
        <CopyButton text={code} label="Copy code" />
      </figcaption>
      <Scroll className={isLong(code) ? 'chat-code-text chat-code-long' : 'chat-code-text'} label="Code">
        <code>
          <CodeText code={code} language={knownLanguage(language)} waiting={waiting} />
        </code>
      </Scroll>
    </figure>
  )
}

/** A whole file scrolls by itself; anything shorter is shown whole, so that it can be watched while it is written. */
const isLong = (code: string) => code.split('\n', 202).length > 201

/** Says for a moment that it worked. */
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

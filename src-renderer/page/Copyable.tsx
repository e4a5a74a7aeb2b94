import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../state/desktop'
import { IconButton } from '../ui'

/** Text with a button that copies it. */
export function Copyable({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    copyText(text, `${what} copied`)
    setCopied(true)
  }
  return (
    <div className="page-copy">
      <code>{text}</code>
      <IconButton
        label={copied ? 'Copied' : `Copy ${what}`}
        icon={copied ? <Check size={14} /> : <Copy size={14} />}
        onClick={copy}
      />
    </div>
  )
}

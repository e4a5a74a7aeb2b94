import { Check, CircleHelp, OctagonAlert, X } from 'lucide-react'
import type { SubCommand } from '../../src-preload/contract/approval'
import { CommandText, Revealed } from './CommandText'
import { Sentence } from './Sentence'

const MARKS = {
  allow: { icon: Check, words: 'would be allowed' },
  ask: { icon: CircleHelp, words: 'asks' },
  deny: { icon: X, words: 'not allowed' },
  danger: { icon: OctagonAlert, words: 'dangerous' },
} as const

/** Each part of a command, or each of several files, with what was found about it. */
export function SubCommandList({ parts, files }: { parts: SubCommand[]; files: boolean }) {
  return (
    <ul className="approval-parts" aria-label={files ? 'Files' : 'Parts of the command'}>
      {parts.map((part, index) => {
        const mark = part.danger ? 'danger' : part.verdict
        const { icon: Icon, words } = MARKS[mark]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a question never change, and may be alike
          <li key={index} className="approval-part" data-mark={mark}>
            <span className="approval-mark" title={words}>
              <Icon size={14} aria-hidden />
              <span className="sr-only">{words}: </span>
            </span>
            <code className="approval-part-text">
              {files ? <Revealed text={part.text} /> : <CommandText command={part.text} />}
            </code>
            <span className="approval-part-reason">
              <Sentence text={part.reason} />
            </span>
          </li>
        )
      })}
    </ul>
  )
}

import { ChevronRight } from 'lucide-react'
import type { PreviewLine } from '../../src-preload/contract/preview'
import { useExpanded } from '../chat/use-expanded'
import { count, visible } from '../state/format'
import { Scroll } from '../ui'

const words = { error: 'Error', warning: 'Warning', info: 'Message' }

/** The console output of the page, folded until the user opens it. */
export function ConsoleLines({ lines }: { lines: readonly PreviewLine[] }) {
  const [open, toggle] = useExpanded('preview-console')
  const errors = lines.filter(({ level }) => level === 'error').length
  return (
    <div className="preview-console">
      <button type="button" className="ui-row preview-console-head" aria-expanded={open} onClick={toggle}>
        <ChevronRight size={13} aria-hidden />
        Console
        <span>{lines.length === 0 ? 'empty' : count(lines.length, 'line')}</span>
        {errors > 0 && <span className="preview-errors">{count(errors, 'error')}</span>}
      </button>
      {open && lines.length > 0 && (
        <Scroll className="preview-lines" label="Page console">
          <ol>
            {lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity but its place
              <li key={at} data-level={line.level}>
                <span className="sr-only">{words[line.level]}: </span>
                {visible(line.text)}
              </li>
            ))}
          </ol>
        </Scroll>
      )}
    </div>
  )
}

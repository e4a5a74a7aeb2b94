import type { Notice } from '../../src-preload/contract/messages'
import { visible } from '../state/format'

/**
 * A notice as one quiet line. Its `text` is written for the model, which needs the process id and the last output;
 * people read `forUser`. Old notices without `forUser` show the first line of their text without the id.
 */
export function noticeWords(notice: Notice): string {
  if ('forUser' in notice && notice.forUser) return visible(notice.forUser)
  if (!('processId' in notice)) return visible(notice.text)
  const line = notice.text.split('\n', 1)[0] ?? ''
  return visible(line.replace(` ${notice.processId}`, '').replace(/^The user typed/, 'You typed'))
}

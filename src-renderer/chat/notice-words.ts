import type { Notice } from '../../src-preload/contract/messages'
import { visible } from '../state/format'

/**
 * A notice as one quiet line. Its text is written for the model, which needs the process's id and the last output; the
 * user has the terminal beside it, so the first line without the id says enough.
 */
export function noticeWords(notice: Notice): string {
  if (!('processId' in notice)) return visible(notice.text)
  const line = notice.text.split('\n', 1)[0] ?? ''
  return visible(line.replace(` ${notice.processId}`, '').replace(/^The user typed/, 'You typed'))
}

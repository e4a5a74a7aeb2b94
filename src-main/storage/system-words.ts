import { errorCode } from '../error-code'
import { errorText } from '../error-text'

/** What an error of the operating system means, as the end of a sentence: "cannot be used: the disk is full". */
export function systemWords(error: unknown): string {
  return meanings.get(errorCode(error) ?? '') ?? errorText(error)
}

const meanings = new Map([
  ['EEXIST', 'it is a file'],
  ['ENOTDIR', 'the way there leads through a file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'you may not read or write there'],
  ['EPERM', 'you may not read or write there'],
  ['EROFS', 'it can only be read'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'your share of the disk is full'],
  ['EIO', 'the disk reports an error'],
])

import type { DangerCheck } from './facts'

/** `del /s C:\` and the like. */
export const windowsDelete: DangerCheck = (_args, words) => {
  const everything =
    /^(?:[a-z]:\\?\*?(?:\.\*)?|[a-z]:\\(?:users|windows|program files).*|~|\/|%userprofile%|\$home|\$env:userprofile)$/i
  const recursive = words.some((word) => /^(?:\/s|-recurse|-r)$/i.test(word))
  return recursive && words.some((word) => everything.test(word))
    ? { word: 'delete', reason: 'deletes a whole drive or all of a user' }
    : null
}

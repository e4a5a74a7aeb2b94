/** A title as the name of a file. */
export const fileTitle = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N} ._-]+/gu, '')
    .trim()
    .slice(0, 60) || 'session'

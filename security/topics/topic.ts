/**
 * Something that can go wrong and is told in words, with the tests of the project that stage just that: each of them has to
 * pass. A case is bound to a topic by its id; one that is not known yet, by the words it uses.
 */
export interface Topic {
  /** Cases that are known, separated by spaces. */
  ids?: string
  /** What a case of this kind speaks of, in lower case. */
  words: RegExp
  /** A test file below src-main without its ending, and a part of the title; `%s` stands for anything. */
  tests: readonly (readonly [file: string, title: string])[]
}

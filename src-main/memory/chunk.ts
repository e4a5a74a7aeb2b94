/** A passage of a note: a paragraph, an item of a list, or a piece of a long one. */
export interface Chunk {
  /** First and last line, counted from 1, both inclusive. */
  startLine: number
  endLine: number
  /** The headings above it, without the title of the file, which is the same for every passage. */
  context: string
  text: string
}

/** Longer passages mix several topics, and then their embedding is close to none of them. */
const longest = 800

/** Splits Markdown into passages about one topic each, with their line numbers in the file. */
export function chunkMarkdown(markdown: string): Chunk[] {
  const chunks: Chunk[] = []
  const headings: { level: number; text: string; line: number; used: boolean }[] = []
  let block: { startLine: number; lines: string[] } | null = null
  let fence = ''

  const context = (): string =>
    headings
      .filter(({ level }) => level > 1)
      .map(({ text }) => text)
      .join(' › ')
  const flush = (): void => {
    if (!block) return
    for (const heading of headings) heading.used = true
    chunks.push(...pieces(block.startLine, block.lines).map((piece) => ({ ...piece, context: context() })))
    block = null
  }
  /** A heading without any text below it becomes a passage of its own. */
  const leave = (level: number): void => {
    for (let last = headings.at(-1); last && last.level >= level; last = headings.at(-1)) {
      headings.pop()
      if (last.used) continue
      for (const heading of headings) heading.used = true
      chunks.push({ startLine: last.line, endLine: last.line, context: context(), text: last.text })
    }
  }

  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1]
    const heading = fence ? null : /^ {0,3}(#{1,6})\s+(.+?)[\s#]*$/.exec(line)
    if (heading) {
      flush()
      const level = heading[1]?.length ?? 1
      leave(level)
      headings.push({ level, text: heading[2] ?? '', line: index + 1, used: false })
      continue
    }
    if (!fence && (line.trim() === '' || isRule(line))) {
      flush()
      continue
    }
    if (!fence && isItem(line)) flush()
    block ??= { startLine: index + 1, lines: [] }
    block.lines.push(line)
    if (mark && !fence) fence = mark
    else if (mark?.startsWith(fence)) fence = ''
  }
  flush()
  leave(1)
  return chunks.sort((one, other) => one.startLine - other.startLine)
}

const isItem = (line: string): boolean => /^ ?([-*+]|\d{1,4}[.)])\s+\S/.test(line)
const isRule = (line: string): boolean => /^ {0,3}([-*_])(\s*\1){2,}\s*$/.test(line)

/** Splits a block that is too long between lines, and within a line only if that line alone is too long. */
function pieces(startLine: number, lines: string[]): Omit<Chunk, 'context'>[] {
  const found: Omit<Chunk, 'context'>[] = []
  let open: Omit<Chunk, 'context'> | null = null
  lines.forEach((line, index) => {
    const number = startLine + index
    for (const part of sentences(line)) {
      if (open && open.text.length + part.length + 1 <= longest) {
        open = { ...open, endLine: number, text: `${open.text}${open.endLine === number ? ' ' : '\n'}${part}` }
        found[found.length - 1] = open
        continue
      }
      open = { startLine: number, endLine: number, text: part }
      found.push(open)
    }
  })
  return found
    .map((piece) => ({ ...piece, text: piece.text.replace(/^\s*\n|\s+$/g, '') }))
    .filter(({ text }) => text.trim() !== '')
}

/** Splits a line that is too long into sentences, and sentences that are too long into equal parts. */
function sentences(line: string): string[] {
  if (line.length <= longest) return [line]
  return line
    .split(/(?<=[.!?…])\s+/)
    .flatMap((sentence) => sentence.match(new RegExp(`[\\s\\S]{1,${longest}}`, 'gu')) ?? [])
}

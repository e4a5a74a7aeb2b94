/** Enough for any screen; a page of single letters must not take a second to mark. */
const most = 2000
const everyMatch = 'chat-found'
const currentMatch = 'chat-found-current'

/**
 * Highlights a text wherever the conversation shows it, and more strongly in one message, until the returned function
 * is called. Follows what is drawn, and does not change the elements themselves.
 */
export function markText(query: string, messageId: string | undefined): () => void {
  // The list itself is recreated when another part of the session is loaded.
  const chat = document.querySelector('.chat-page')
  if (query === '' || !chat) return () => {}
  const draw = (): void => {
    const ranges = rangesOf(chat, query.toLowerCase())
    const isCurrent = ({ startContainer }: Range): boolean =>
      messageId !== undefined &&
      startContainer.parentElement?.closest(`[data-message="${CSS.escape(messageId)}"]`) !== null
    CSS.highlights.set(everyMatch, new Highlight(...ranges.filter((range) => !isCurrent(range))))
    CSS.highlights.set(currentMatch, new Highlight(...ranges.filter(isCurrent)))
  }
  let frame = requestAnimationFrame(draw)
  // Rows come and go while the user scrolls.
  const watch = new MutationObserver(() => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(draw)
  })
  watch.observe(chat, { childList: true, subtree: true, characterData: true })
  return () => {
    watch.disconnect()
    cancelAnimationFrame(frame)
    CSS.highlights.delete(everyMatch)
    CSS.highlights.delete(currentMatch)
  }
}

/** A match may span several elements of a message, such as colored code. */
function rangesOf(chat: Element, wanted: string): Range[] {
  const ranges: Range[] = []
  for (const message of chat.querySelectorAll('.chat-transcript [data-message]')) {
    const nodes = textNodes(message)
    const text = nodes
      .map(({ data }) => data)
      .join('')
      .toLowerCase()
    for (
      let at = text.indexOf(wanted);
      at >= 0 && ranges.length < most;
      at = text.indexOf(wanted, at + wanted.length)
    ) {
      const range = rangeIn(nodes, at, at + wanted.length)
      if (range) ranges.push(range)
    }
  }
  return ranges
}

function textNodes(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node instanceof Text) nodes.push(node)
  return nodes
}

/** Letters whose lowercase form is longer would shift the position; such a match is not marked. */
function rangeIn(nodes: Text[], from: number, to: number): Range | null {
  const range = document.createRange()
  let start = 0
  let begun = false
  for (const node of nodes) {
    const end = start + node.length
    if (!begun && from < end) {
      range.setStart(node, from - start)
      begun = true
    }
    if (begun && to <= end) {
      range.setEnd(node, to - start)
      return range
    }
    start = end
  }
  return null
}

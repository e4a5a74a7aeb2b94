import { SerializeAddon } from '@xterm/addon-serialize'
import headless from '@xterm/headless'
import { expect, test } from 'vitest'
import { withLinksInText } from './snapshot-links'

const link = (uri: string, text: string, id = '') => `\x1b]8;${id && `id=${id}`};${uri}\x07${text}\x1b]8;;\x07`

function open() {
  const terminal = new headless.Terminal({ cols: 20, rows: 5, scrollback: 100, allowProposedApi: true })
  const serializer = new SerializeAddon()
  serializer.activate(withLinksInText(terminal) as never)
  return { terminal, serializer }
}
const write = (terminal: headless.Terminal, data: string) =>
  new Promise<void>((resolve) => terminal.write(data, resolve))

/** A row as text, with the cells of each link in brackets before its address. */
function rows(terminal: headless.Terminal): string[] {
  const { _oscLinkService: links } = (
    terminal as unknown as { _core: { _oscLinkService: { getLinkData(id: number): { uri: string } } } }
  )._core
  return Array.from({ length: terminal.buffer.active.length }, (_, y) => {
    const line = terminal.buffer.active.getLine(y)
    let text = ''
    let open = 0
    for (let x = 0; x <= (line?.length ?? 0); x++) {
      const cell = line?.getCell(x) as { extended?: { urlId: number }; getChars(): string } | undefined
      const id = cell?.extended?.urlId ?? 0
      if (id !== open) text += open ? `](${links.getLinkData(open).uri})${id ? '[' : ''}` : '['
      open = id
      text += cell?.getChars() ?? ''
    }
    return text
  })
}

async function afterSnapshot(data: string): Promise<{ before: string[]; after: string[] }> {
  const { terminal, serializer } = open()
  await write(terminal, data)
  const copy = open()
  await write(copy.terminal, serializer.serialize())
  return { before: rows(terminal), after: rows(copy.terminal) }
}

test.each([
  ['a link in a line', `see ${link('https://a.example/x', 'here')} now`],
  ['two links side by side', link('https://a.example', 'one') + link('https://b.example', 'two')],
  ['colours within a link', link('https://a.example', '\x1b[31mred\x1b[1mbold\x1b[0mplain')],
  ['wide characters', `${link('https://a.example', '漢字')}x${link('https://b.example', '字')}`],
  ['a link that wraps', `0123456789${link('https://a.example', 'abcdefghijklmnopqrstuvwxyz')}.`],
  ['links in the scrollback', `${link('https://old.example', 'old')}\r\n${'line\r\n'.repeat(30)}`],
  ['a link with a gap of nothing in it', `\x1b]8;;https://a.example\x07ab\x1b[5Ccd\x1b]8;;\x07`],
  ['a full-screen program', `\x1b[?1049h\x1b[2;3H${link('https://a.example', 'menu')}`],
])('a snapshot keeps %s', async (_, data) => {
  const { before, after } = await afterSnapshot(data)
  expect(before.join('\n')).toContain('](https://')
  expect(after).toEqual(before)
})

test('a link over two rows stays one link', async () => {
  const { terminal, serializer } = open()
  await write(terminal, `0123456789${link('https://a.example', 'abcdefghijklmnopqrstuvwxyz')}`)
  expect(serializer.serialize().match(/id=[\w-]+/g)).toEqual(['id=link-1', 'id=link-1'])
})

test('text without links is as it was', async () => {
  const { terminal, serializer } = open()
  const plain = new SerializeAddon()
  terminal.loadAddon(plain as never)
  await write(terminal, '\x1b[32mgreen\x1b[0m and plain\r\nnext')
  expect(serializer.serialize()).toBe(plain.serialize())
})

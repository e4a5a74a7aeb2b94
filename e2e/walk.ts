/** Goes to every page with something on it, and leaves pictures in test-results/walk. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeHomes } from '../src-main/moving-in/test-homes'
import { type Deckhand, expect, test } from './app'
import { calls, gate, says } from './scripted-model'
import { chooseMode, pane, say, setTheme, themes, typeInto } from './steps'

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(checkout, 'test-results/walk')
const agent = { command: 'node', args: [join(checkout, 'src-main/hosts/testing/scripted-agent.mjs')], env: {} }
test.use({ launch: { settings: { agent_servers: { scripted: { ...agent, name: 'Scripted agent' } } } } })

const sizes = [
  { name: '1280', width: 1280, height: 800, zoom: 1 },
  { name: '900', width: 900, height: 650, zoom: 1 },
  { name: 'zoom', width: 1280, height: 800, zoom: 2 },
]

/** By their names in the command palette, which is there at every size. */
const pages = [
  'Inbox',
  'Schedule',
  'Nodes',
  'Agents',
  'Skills',
  'Memory',
  'Channels',
  'MCP servers',
  'Changes in this session',
  'Replay this session',
  'Usage and cost',
  'Import from other agents',
  'Settings',
]

async function open({ window }: Deckhand, name: string): Promise<void> {
  await window.keyboard.press('Control+k')
  await window.getByRole('combobox').last().fill(name)
  await window.keyboard.press('Enter')
  await window.waitForTimeout(400)
}

async function resize({ app, window }: Deckhand, size: { width: number; height: number; zoom: number }): Promise<void> {
  await app.evaluate(({ BrowserWindow }, { width, height, zoom }) => {
    const [first] = BrowserWindow.getAllWindows()
    first?.setContentSize(width, height)
    first?.webContents.setZoomFactor(zoom)
  }, size)
  await window.waitForTimeout(300)
}

async function look(deckhand: Deckhand, name: string): Promise<void> {
  for (const theme of themes) {
    await setTheme(deckhand, theme)
    await deckhand.window.waitForTimeout(150)
    // As the desktop shows it: a picture by the page would cut a zoomed window off.
    const picture = await deckhand.app.evaluate(async ({ BrowserWindow }) => {
      const [first] = BrowserWindow.getAllWindows()
      return (await first?.webContents.capturePage())?.toPNG().toString('base64') ?? ''
    })
    writeFileSync(join(folder, `${name}-${theme}.png`), Buffer.from(picture, 'base64'))
  }
}

test('every page, in both themes and three sizes', async ({ deckhand, model }) => {
  const { workspace } = deckhand
  mkdirSync(folder, { recursive: true })
  writeHomes(join(dirname(workspace), 'home'), workspace)
  mkdirSync(join(workspace, '.claude'), { recursive: true })
  const hook = { matcher: 'List', hooks: [{ type: 'command', command: 'touch hook-ran' }] }
  writeFileSync(join(workspace, '.claude/settings.json'), JSON.stringify({ hooks: { PreToolUse: [hook] } }))
  writeFileSync(
    join(workspace, '.mcp.json'),
    JSON.stringify({ mcpServers: { notes: { command: 'node', args: ['x'] } } }),
  )
  const window = await deckhand.relaunch()
  model.push(calls('Bash', { command: 'ls; echo one > made.txt' }), says('There is **one** new file, `made.txt`.'))
  await window.getByLabel('Message to Deckhand').waitFor()
  await chooseMode(window, 'Allow everything')
  await say(window, 'Make a file')
  await expect(window.getByText('There is one new file')).toBeVisible({ timeout: 60_000 })
  await chooseMode(window, 'Ask for everything')
  model.push(calls('Bash', { command: 'npm install left-pad && rm -rf build' }))
  await say(window, 'Install something')
  await expect(window.locator('[data-approval-card]')).toBeVisible()

  for (const { name, ...size } of sizes) {
    await resize(deckhand, size)
    await look(deckhand, `${name}-chat`)
    for (const page of pages) {
      await open(deckhand, page)
      await look(deckhand, `${name}-${page.toLowerCase().replaceAll(' ', '-')}`)
      if (page !== 'Settings') continue
      for (const id of ['models', 'spending', 'sandbox', 'web', 'network', 'terminal', 'keys', 'advanced', 'about']) {
        await window.locator(`#settings-${id}`).evaluate((section) => section.scrollIntoView({ block: 'start' }))
        await look(deckhand, `${name}-settings-${id}`)
      }
    }
    await window.keyboard.press('Control+l')
    await window.waitForTimeout(200)
  }
})

test('a question while somebody types in the deck', async ({ deckhand, model }) => {
  const { window } = deckhand
  mkdirSync(folder, { recursive: true })
  const typing = gate()
  model.push([{ gate: typing }, { call: 'Bash', args: { command: 'touch other.txt' } }])
  await say(window, 'Make a file')
  await typing.reached
  await resize(deckhand, { width: 900, height: 650, zoom: 1 })
  await window.keyboard.press('Control+Shift+T')
  await typeInto(pane(window, /./), 'echo half a line')
  typing.open()
  await expect(window.getByText('The agent is waiting for your answer.')).toBeVisible()
  for (const { name, ...size } of sizes.slice(1)) {
    await resize(deckhand, size)
    await look(deckhand, `${name}-deck-waiting`)
  }
})

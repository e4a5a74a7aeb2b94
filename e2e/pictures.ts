/** Plays a small day's work and photographs it for the README, in both themes. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, type Deckhand, expect } from './app'
import { calls, says } from './scripted-model'
import { answer, card, pane, say, screenOf, setTheme, themes, toolLine, typeInto } from './steps'

const docs = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs/pictures')
const project = join(tmpdir(), 'tide-table')

const test = base.extend({
  launch: async ({ model }, use) => {
    const models = [{ id: 'demo/demo-model', name: 'demo-model', contextWindow: 128_000 }]
    const provider = { id: 'demo', name: 'Demo', kind: 'openai', baseUrl: model.baseUrl, models, listedAt: 1 }
    await use({ settings: { defaultModel: 'demo/demo-model', defaultWorkspace: project, providers: [provider] } })
  },
})

async function photograph(deckhand: Deckhand, name: string): Promise<void> {
  for (const theme of themes) {
    await setTheme(deckhand, theme)
    await deckhand.window.screenshot({ path: join(docs, `${name}-${theme}.png`), animations: 'disabled' })
  }
}

const files = {
  'package.json':
    '{ "name": "tide-table", "type": "module", "scripts": { "dev": "node server.js", "test": "node --test" } }\n',
  'server.js': `console.log('\\x1b[36mtide-table\\x1b[0m on http://localhost:4173')
let n = 0
setInterval(() => console.log(\`\\x1b[32mGET\\x1b[0m /tides?day=\${++n} \\x1b[2m200 in \${3 + (n % 5)} ms\\x1b[0m\`), 400)
`,
  'tide.js': `/** Hours until the next high tide. */
export function untilHigh(hour) {
  return (12.4 - hour) % 12.4
}
`,
  'tide.test.js': `import assert from 'node:assert/strict'
import test from 'node:test'
import { untilHigh } from './tide.js'

test('before the first high tide', () => assert.equal(untilHigh(2.4), 10))
test('after it', () => assert.equal(untilHigh(14.4).toFixed(1), '10.4'))
`,
  'deploy.sh': `read -rsp "Password for harbour.example: " word; echo; echo "Uploaded 4 files."\n`,
}

test.beforeAll(() => {
  mkdirSync(project, { recursive: true })
  mkdirSync(docs, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
})
test.afterAll(() => rmSync(project, { recursive: true, force: true }))

test('a small day’s work', async ({ deckhand, model }) => {
  const { window } = deckhand
  await expect(window.getByRole('heading', { name: 'What would you like to do?' })).toBeVisible()
  await photograph(deckhand, 'welcome')

  model.push(
    [
      { text: 'I will start the server beside us and run the tests.' },
      { call: 'Bash', args: { command: 'npm run dev', background: true } },
    ],
    calls('Bash', { command: 'npm test' }),
    calls('Read', { path: 'tide.js' }),
    [
      {
        text: 'One test fails: after noon the hours turn **negative**, because `%` keeps the sign of its left side:\n\n```js\nconsole.log(-2 % 12.4) // -2, and not 10.4\n```\n',
      },
      {
        call: 'Edit',
        args: {
          path: 'tide.js',
          oldString: '  return (12.4 - hour) % 12.4\n',
          newString: '  const left = (12.4 - hour) % 12.4\n  return left < 0 ? left + 12.4 : left\n',
        },
      },
    ],
    calls('Bash', { command: 'npm test' }),
    says('All green. The server picked the change up as well.'),
  )
  await say(window, 'The afternoon tides are wrong since yesterday. Start the server, find out why, and fix it.')
  await answer(card(window, 'npm run dev'), 'Allow once')
  await answer(card(window, 'npm test'), 'Allow for this session')
  await expect(card(window, 'tide.js')).toBeVisible()
  await expect(screenOf(pane(window, 'npm run dev'))).toContainText('day=9')
  await window.getByRole('region', { name: 'Conversation' }).evaluate((list) => list.scrollTo(0, 1e6))
  await photograph(deckhand, 'overview')
  await answer(card(window, 'tide.js'), 'Allow once')
  await expect(window.getByText('All green.')).toBeVisible()
  await toolLine(window, 'npm test').last().click()

  model.push(calls('Bash', { command: 'rm -rf ~/tide-archive && sudo systemctl restart tides' }))
  await say(window, 'Clean up the old archive and restart the service')
  await expect(card(window)).toBeVisible()
  await photograph(deckhand, 'approval')
  model.push(says('Left as it is.'))
  await answer(card(window), /^Deny(?! with)/)
  await expect(window.getByText('Left as it is.')).toBeVisible()

  model.push(
    calls('Bash', { command: 'bash deploy.sh', background: true }),
    says('It asks for your password: type it into the terminal, I cannot see it.'),
  )
  await say(window, 'Now deploy it')
  await answer(card(window, 'deploy.sh'), 'Allow once')
  await expect(window.getByText('It asks for your password')).toBeVisible()
  await expect(pane(window, 'bash deploy.sh').getByText('The agent is locked out')).toBeVisible()
  await typeInto(pane(window, 'bash deploy.sh'), 'sunk')
  await photograph(deckhand, 'terminals')
})

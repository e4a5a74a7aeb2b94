import { expect, it } from 'vitest'
import { commandEnv } from './command-env'

it('passes the environment on without secrets and without what belongs to the app', () => {
  const kept = { HOME: '/home/ann', PATH: '/bin', LANG: 'C.UTF-8', GIT_TERMINAL_PROMPT: '1' }
  const looksLikeKeys = { KEYBOARD: 'us', TOKENIZERS: 'x', MONKEY: 'y' }
  const env = commandEnv(
    {
      ...kept,
      ...looksLikeKeys,
      OPENAI_API_KEY: 's',
      ANTHROPIC_APIKEY: 's',
      GITHUB_TOKEN: 's',
      AWS_SECRET_ACCESS_KEY: 's',
      DB_PASSWORD: 's',
      GOOGLE_CREDENTIALS: 's',
      secret: 's',
      DECKHAND_API_KEY: 's',
      DECKHAND_DATA: 's',
      ELECTRON_RUN_AS_NODE: '1',
      NODE_OPTIONS: '--inspect',
      TMUX: '/tmp/x',
      COLUMNS: '80',
      EMPTY: undefined,
    },
    { EXTRA: 'e', PAGER: 'less' },
  )
  expect(env).toEqual({
    ...kept,
    ...looksLikeKeys,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    PAGER: 'less',
    GIT_PAGER: 'cat',
    MANPAGER: 'cat',
    EXTRA: 'e',
  })
})

import { expect, test } from 'vitest'
import { usefulLine } from './useful-line'

const node = `node:internal/modules/cjs/loader:1143
  throw err;
  ^

Error: Cannot find module '/srv/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1140:15)
    at Module._load (node:internal/modules/cjs/loader:981:27) {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v24.15.0`

const python = `Traceback (most recent call last):
  File "/srv/server.py", line 3, in <module>
    import mcp
ModuleNotFoundError: No module named 'mcp'`

test.each([
  ['a crash of Node', node, "Error: Cannot find module '/srv/server.js'"],
  ['a crash of Python', python, "ModuleNotFoundError: No module named 'mcp'"],
  [
    'a panic',
    "Starting\nthread 'main' panicked at src/main.rs:4:5:\nnote: run with RUST_BACKTRACE=1",
    "thread 'main' panicked at src/main.rs:4:5:",
  ],
  ['a complaint before good-bye', 'API_KEY is required\nbye', 'API_KEY is required'],
  ['words without an error', 'listening\nclosing down', 'closing down'],
  ['nothing', '\n\n', ''],
])('of %s it takes the line that tells why', (_, text, line) => {
  expect(usefulLine(text.split('\n'))).toBe(line)
})

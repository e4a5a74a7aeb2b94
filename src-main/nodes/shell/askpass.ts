import { execFile } from 'node:child_process'
import { constants, openSync } from 'node:fs'
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeTemporaryFolder } from '../../temporary'

/** A question that ssh asks while it connects. */
export interface SshQuestion {
  prompt: string
  /** A password or passphrase, which must not be shown; or a yes or no, such as about a host's key. */
  kind: 'secret' | 'confirm'
}

/** `null` for no answer, which ends the attempt. Answers are not stored. */
export type AskUser = (question: SshQuestion) => Promise<string | null>

/** Uses only shell builtins: the secret is in no argument, environment or file. */
const program = `#!/bin/sh
d=\${0%/*}
printf '%s\\n%s\\0' "\${SSH_ASKPASS_PROMPT-}" "$1" >"$d/question"
{ IFS= read -r said && [ "$said" = ok ] && IFS= read -r answer; } <"$d/answer" || exit 1
printf '%s\\n' "$answer"
`

/**
 * Lets ssh ask: it starts a small program for each question, which talks to this process by two pipes in a private
 * folder.
 */
export async function openAskpass(ask: AskUser): Promise<{ env: Record<string, string>; close(): Promise<void> }> {
  const folder = makeTemporaryFolder('ask')
  const asker = join(folder, 'askpass')
  const question = join(folder, 'question')
  const answer = join(folder, 'answer')
  await writeFile(asker, program, { mode: 0o700 })
  await promisify(execFile)('mkfifo', ['-m', '600', question, answer])
  // Opened for reading and writing, so that opening does not block and reading does not reach an end.
  const flags = constants.O_RDWR | constants.O_NONBLOCK
  const replies: FileHandle = await open(answer, flags)
  const reader = new Socket({ fd: openSync(question, flags), readable: true, writable: false })

  let text = ''
  reader.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const end = text.indexOf('\0')
    if (end < 0) return
    const [kind = '', ...lines] = text.slice(0, end).split('\n')
    text = text.slice(end + 1)
    void reply(kind, lines.join('\n'))
  })
  const reply = async (hint: string, prompt: string): Promise<void> => {
    const kind = hint === 'confirm' || /\(yes\/no/.test(prompt) ? 'confirm' : 'secret'
    const said = await ask({ prompt: prompt.trim(), kind }).catch(() => null)
    await replies.write(said === null || /[\n\r\0]/.test(said) ? 'no\n' : `ok\n${said}\n`).catch(() => {}) // Closed meanwhile.
  }

  return {
    env: { SSH_ASKPASS: asker, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: process.env.DISPLAY ?? ':0' },
    async close() {
      reader.destroy()
      await replies.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

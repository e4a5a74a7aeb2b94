import type * as acp from '@agentclientprotocol/sdk'
import {
  type ClientCommand,
  ClientRefusal,
  ClientSilence,
  type ClientTerminal,
  type SessionClient,
} from '../tools/client/session-client'

/** How long a client may take to answer; it is a program on this machine that has nobody to ask. */
const fileMs = 5_000
const terminalMs = 10_000
/** A client that has left this many requests unanswered is not asked any more. */
const mostUnanswered = 2

/** What a client of the protocol offers for a session, by the capabilities that it has named. */
export function sessionClient(
  sdk: typeof acp,
  client: acp.AgentContext,
  sessionId: string,
  offers: acp.ClientCapabilities,
  name: string,
): SessionClient {
  const { fs } = sdk.methods.client
  let unanswered = 0

  const answered = async <Result>(what: string, ms: number, asked: Promise<Result>): Promise<Result> => {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      unanswered++
      late.reject(new ClientSilence(`${name} did not ${what} within ${ms / 1000} s.`))
    }, ms)
    try {
      return await Promise.race([asked, late.promise])
    } catch (error) {
      if (error instanceof ClientSilence) throw error
      const words = error instanceof Error ? error.message : String(error)
      if (error instanceof sdk.RequestError) throw new ClientRefusal(words)
      throw new ClientSilence(`${name} did not ${what}: ${words}`)
    } finally {
      clearTimeout(timer)
    }
  }
  /** Refuses in the name of a client that does not answer, so that not every call waits for it again. */
  const requireAnswers = (): void => {
    if (unanswered >= mostUnanswered) throw new ClientRefusal(`${name} no longer answers.`)
  }

  const opened = (terminal: acp.TerminalHandle): ClientTerminal => {
    const ended = terminal.waitForExit().then(
      ({ exitCode, signal }) => ({ exitCode: exitCode ?? null, signal: signal ?? null }),
      (error: unknown) => {
        const words = error instanceof Error ? error.message : String(error)
        throw new ClientSilence(`${name} did not tell how the command ended: ${words}`)
      },
    )
    // A terminal that was released before its end is not waited for any more.
    ended.catch(() => {})
    return {
      id: terminal.id,
      ended,
      output: async () => {
        const { output, truncated } = await answered('show the output', terminalMs, terminal.currentOutput())
        return { text: output, truncated }
      },
      kill: async () => {
        await answered('end the command', terminalMs, terminal.kill())
      },
      release: async () => {
        await answered('release the terminal', terminalMs, terminal.release())
      },
    }
  }

  return {
    name,
    ...(offers.fs?.readTextFile && {
      readText: async (path: string) => {
        requireAnswers()
        const read = client.request(fs.readTextFile, { sessionId, path })
        return (await answered('read the file', fileMs, read)).content
      },
    }),
    ...(offers.fs?.writeTextFile && {
      writeText: async (path: string, content: string) => {
        requireAnswers()
        await answered('write the file', fileMs, client.request(fs.writeTextFile, { sessionId, path, content }))
      },
    }),
    ...(offers.terminal && {
      openTerminal: async ({ argv: [command, ...args], cwd, env, mostBytes }: ClientCommand) => {
        requireAnswers()
        const variables = Object.entries(env).map(([name, value]) => ({ name, value }))
        const params = { sessionId, command, args, cwd, env: variables, outputByteLimit: mostBytes }
        const created = client.createTerminal(params)
        const terminal = await answered('open a terminal', terminalMs, created).catch((error: unknown) => {
          // The call has failed by then: what comes too late must not run on unseen.
          created
            .then((late) => late.release())
            .catch(() => {
              // It was never opened, or the client is gone.
            })
          throw error
        })
        return opened(terminal)
      },
    }),
  }
}

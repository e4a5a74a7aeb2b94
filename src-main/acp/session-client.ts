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
/** How often a client is asked whether a command still runs, however long that may: one that does not say so is given up. */
const aliveMs = 30_000
/** A client that has left this many requests unanswered is not asked any more. */
const mostUnanswered = 2

/** What a client of the protocol offers for a session, by the capabilities that it has named. */
export function sessionClient(
  sdk: typeof acp,
  client: acp.AgentContext,
  sessionId: string,
  offers: acp.ClientCapabilities,
  name: string,
  lookMs = aliveMs,
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
    const look = () => answered('show the output', terminalMs, terminal.currentOutput())
    const told = terminal.waitForExit().then(endOf, (error: unknown) => {
      const words = error instanceof Error ? error.message : String(error)
      throw new ClientSilence(`${name} did not tell how the command ended: ${words}`)
    })
    const watch = watchEnd(look, lookMs)
    const ended = Promise.race([told, watch.ended]).finally(watch.stop)
    // A terminal that was released before its end is not waited for any more.
    ended.catch(() => {})
    return {
      id: terminal.id,
      ended,
      output: async () => {
        const { output, truncated } = await look()
        return { text: output, truncated }
      },
      kill: async () => {
        await answered('end the command', terminalMs, terminal.kill())
      },
      release: async () => {
        watch.stop()
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

const endOf = ({ exitCode, signal }: acp.TerminalExitStatus): { exitCode: number | null; signal: string | null } => ({
  exitCode: exitCode ?? null,
  signal: signal ?? null,
})

/**
 * Asks again and again whether a command has ended, beside the one request that is answered at its end: a client that has
 * lost that request, or the command, would be waited for without limit otherwise.
 */
function watchEnd(look: () => Promise<acp.TerminalOutputResponse>, everyMs: number) {
  const { promise: ended, resolve, reject } = Promise.withResolvers<ReturnType<typeof endOf>>()
  // Nobody hears of it once the end was told.
  ended.catch(() => {})
  let looking = false
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    look()
      .then(({ exitStatus }) => {
        looking = false
        if (exitStatus) resolve(endOf(exitStatus))
      })
      .catch(reject)
  }, everyMs).unref()
  return { ended, stop: (): void => clearInterval(timer) }
}

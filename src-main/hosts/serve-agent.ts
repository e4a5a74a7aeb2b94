import type * as acp from '@agentclientprotocol/sdk'
import type { AgentClient } from './agent-link'
import { hostLimits } from './limits'

type Sdk = typeof import('@agentclientprotocol/sdk')

/** Answers what an agent asks of us. Refuses a request for a session that is not `ours`, and too many at once. */
export function serveAgent(sdk: Sdk, client: AgentClient, ours: (sessionId: string) => boolean): acp.ClientApp {
  let open = 0
  const serve =
    <Params extends { sessionId: string }, Result>(work: (params: Params, signal: AbortSignal) => Promise<Result>) =>
    async ({ params, signal }: { params: Params; signal: AbortSignal }): Promise<Result> => {
      if (!ours(params.sessionId)) throw sdk.RequestError.invalidParams(undefined, 'There is no such session.')
      if (open >= hostLimits.openRequests) throw sdk.RequestError.internalError(undefined, 'Too many requests at once.')
      open++
      try {
        return await work(params, signal)
      } catch (error) {
        if (error instanceof sdk.RequestError) throw error
        const words = error instanceof Error ? error.message : String(error)
        throw sdk.RequestError.internalError(undefined, words.slice(0, 2000))
      } finally {
        open--
      }
    }
  /** For requests that are answered with nothing. */
  const serveEmpty = <Params extends { sessionId: string }>(
    work: (params: Params, signal: AbortSignal) => Promise<void>,
  ) =>
    serve(async (params: Params, signal) => {
      await work(params, signal)
      return {}
    })
  const { session, fs, terminal } = sdk.methods.client
  return sdk
    .client({ name: 'deckhand' })
    .onRequest(
      session.requestPermission,
      serve((params: acp.RequestPermissionRequest, signal) => client.permission(params, signal)),
    )
    .onRequest(
      fs.readTextFile,
      serve((params: acp.ReadTextFileRequest, signal) => client.readFile(params, signal)),
    )
    .onRequest(
      fs.writeTextFile,
      serveEmpty((params: acp.WriteTextFileRequest, signal) => client.writeFile(params, signal)),
    )
    .onRequest(
      terminal.create,
      serve((params: acp.CreateTerminalRequest, signal) => client.createTerminal(params, signal)),
    )
    .onRequest(
      terminal.output,
      serve((params: acp.TerminalOutputRequest) => client.terminalOutput(params.terminalId)),
    )
    .onRequest(
      terminal.waitForExit,
      serve((params: acp.WaitForTerminalExitRequest, signal) => client.waitForTerminal(params.terminalId, signal)),
    )
    .onRequest(
      terminal.kill,
      serveEmpty((params: acp.KillTerminalRequest) => client.killTerminal(params.terminalId)),
    )
    .onRequest(
      terminal.release,
      serveEmpty((params: acp.ReleaseTerminalRequest) => client.releaseTerminal(params.terminalId)),
    )
}

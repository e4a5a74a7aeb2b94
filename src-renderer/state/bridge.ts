import type { CallInput, CallName, CallOutput } from '../../src-preload/contract/ipc'

/** Makes a call to the main process; a refusal is thrown as an Error with a message for the user. */
export async function call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
  const reply = await window.deckhand.call(name, input)
  if (!reply.ok) throw new Error(reply.error)
  return reply.value
}

/**
 * Opens the port of a terminal pane. Ports cannot be returned through the bridge, so the preload posts it to the window
 * with the request's id. The caller owns the port and closes it.
 */
export async function openTerminal(processId: string, signal?: AbortSignal): Promise<MessagePort> {
  const requestId = crypto.randomUUID()
  const { promise, resolve, reject } = Promise.withResolvers<MessagePort>()
  const receive = (event: MessageEvent) => {
    const port = event.ports[0]
    if (event.source !== window || event.data?.deckhandTerminal !== requestId || !port) return
    resolve(port)
  }
  const abort = () => reject(new DOMException('The pane was closed.', 'AbortError'))
  window.addEventListener('message', receive)
  signal?.addEventListener('abort', abort)
  try {
    if (signal?.aborted) abort()
    else await call('terminal.attach', { processId, requestId })
    return await promise
  } finally {
    window.removeEventListener('message', receive)
    signal?.removeEventListener('abort', abort)
  }
}

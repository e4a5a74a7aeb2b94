/** Responses are not read beyond this size. */
const maxAnswerBytes = 32 * 1024 * 1024

/** `fetch` that limits the size of responses to POST requests. Long-lived event streams are not limited. */
export const limitedFetch =
  (fetchBy: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await fetchBy(input, init)
    if (init?.method?.toUpperCase() !== 'POST' || !response.body) return response
    let bytes = 0
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length
        if (bytes > maxAnswerBytes) controller.error(new Error('The answer of the server is too long'))
        else controller.enqueue(chunk)
      },
    })
    return new Response(response.body.pipeThrough(limit), response)
  }

/** Everything that waits for an agent, or takes what it sends, has a limit here. */
export const hostLimits = {
  /** Until it has answered `initialize`. An agent that is fetched by npx on its first start needs a while. */
  startMs: 60_000,
  /** Until a session is made or loaded. */
  sessionMs: 60_000,
  /** Until it has taken a mode or an option. */
  optionMs: 15_000,
  /** A sign-in may open a browser and wait for the user. */
  signInMs: 10 * 60_000,
  /** Without any sign of life, while none of its calls is running. */
  silenceMs: 10 * 60_000,
  /** The same while one of its calls is running: a build may take its time. */
  busySilenceMs: 60 * 60_000,
  /** After a stop, until it is ended. */
  cancelMs: 10_000,
  /** Between the request to end and the kill. */
  endMs: 2_000,
  /** Without a turn, where it can load the session again later. */
  idleMs: 30 * 60_000,
  /** One message of the protocol. */
  messageBytes: 16 * 1024 * 1024,
  /** Text and thoughts of one turn. */
  turnChars: 4_000_000,
  /** Calls of one turn. */
  turnCalls: 2_000,
  /** Requests of the agent that are not answered yet. */
  openRequests: 64,
  terminals: 64,
}

export type HostLimits = typeof hostLimits

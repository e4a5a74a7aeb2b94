import type { Dialect } from './openai'
import { learnResponses, responsesBody } from './responses-request'
import { readResponses } from './responses-stream'

/** OpenAI's Responses API; loaded when a model is first spoken to by it. */
export const path = 'responses'
export const body: Dialect['body'] = responsesBody
export const read: Dialect['read'] = readResponses
export const learn: Dialect['learn'] = learnResponses
/** Encrypted thoughts are for one account and, with some, for one server. */
export const spoilt: Dialect['spoilt'] = ({ code, said }) =>
  code.includes('invalid_encrypted_content') || /encrypted.content|items? with id|reasoning.*item/i.test(said)

/** How OpenAI names what thinks: from gpt-5 on, the o series, and codex. These use tools with thought by Responses only. */
const thinks = /^(gpt-([5-9]|\d\d)|o\d|codex)/

const ofOpenAi = /(^|\.)(openai\.com|openai\.azure\.com|services\.ai\.azure\.com|cognitiveservices\.azure\.com)$/

/**
 * The interface that a model is first spoken to by. Others than OpenAI and Azure take thinking models by chat completions
 * as well; where one does not, its refusal says so.
 */
export const likelyApi = (host: string, model: string): 'chat' | 'responses' => {
  const bare = (model.split('/').at(-1) ?? model).toLowerCase()
  const isTheirs = ofOpenAi.test(host.replace(/:\d+$/, ''))
  return isTheirs && thinks.test(bare) && !bare.includes('chat') ? 'responses' : 'chat'
}

import type { ToolCall } from '../../../src-preload/contract/tool-calls'
import { hostLimits } from '../../hosts/limits'
import type { HostedBlock } from '../../hosts/updates'
import type { AssistantWriter } from '../assistant-writer'
import { contentOf } from './tool-call'

interface NewCall {
  id: string
  name: string
  arguments: string
}

/** What the agent says in one turn: written piece by piece, and saved together with the call that follows it. */
interface Speech {
  /** Throws if the agent says more than one turn may contain. */
  say(kind: 'text' | 'reasoning', block: HostedBlock): void
  /** Ends the current message with a call. */
  endWith(call: NewCall): ToolCall
  /** Ends the current message without a call, if it contains anything. */
  end(): void
}

export function createSpeech(writer: AssistantWriter, agent: () => string): Speech {
  let text = ''
  let thoughts = ''
  let thoughtAt = 0
  let thoughtMs = 0
  let chars = 0

  const endMessage = (calls: NewCall[]): ToolCall[] => {
    const said = { text, reasoning: thoughts, reasoningMs: thoughtMs }
    text = ''
    thoughts = ''
    thoughtMs = 0
    return writer.end({ type: 'assistant-end', ...said, calls, usage: null }).calls
  }

  const count = (more: string): void => {
    chars += more.length
    if (chars > hostLimits.turnChars)
      throw new Error(`${agent()} wrote more than ${hostLimits.turnChars / 1_000_000} million characters in one turn.`)
  }

  return {
    say: (kind, block) => {
      const content = contentOf(block)
      if (content.type === 'image') {
        count(content.data)
        writer.add({ type: 'image', data: content.data, mimeType: content.mimeType })
        return
      }
      if (content.text === '') return
      count(content.text)
      if (kind === 'text') {
        text += content.text
        thoughtAt = 0
      } else {
        thoughts += content.text
        if (thoughtAt === 0) thoughtAt = performance.now()
        thoughtMs = Math.round(performance.now() - thoughtAt)
      }
      writer.delta(kind, content.text)
    },
    endWith: (call) => {
      const [row] = endMessage([call])
      if (!row) throw new Error('A call was not saved with its message.')
      return row
    },
    end: () => {
      if (text !== '' || thoughts !== '') endMessage([])
    },
  }
}

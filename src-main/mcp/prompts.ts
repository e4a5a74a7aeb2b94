import type { GetPromptResult, Prompt } from '@modelcontextprotocol/client'
import type { Attachment } from '../../src-preload/contract/messages'
import { slashName } from '../../src-preload/contract/slash'
import { visibleText } from '../web/invisible'
import { attachmentOf, shownImages } from './resources'
import { shownName, shownText } from './tool-definition'

interface PromptArgument {
  name: string
  required: boolean
}

/** A prompt of a server, as a command that can be typed. */
export interface McpPrompt {
  /** The server's own name for it. */
  name: string
  /** `server:prompt`, in characters that a command may contain. */
  command: string
  description: string
  arguments: PromptArgument[]
}

const mostPrompts = 200
const mostArguments = 20

/** Leaves out prompts that cannot be used as a command; the first of two with the same name wins. */
export function cleanPrompts(server: string, list: readonly Prompt[]): McpPrompt[] {
  const byCommand = new Map<string, McpPrompt>()
  for (const { name, title, description, arguments: args = [] } of list.slice(0, mostPrompts)) {
    const command = `${server}:${shownName(name).replace(/[^\p{L}\p{N}_.-]+/gu, '-')}`.slice(0, 100)
    if (!slashName.test(command) || byCommand.has(command)) continue
    byCommand.set(command, {
      name,
      command,
      description: shownText(description ?? title ?? '', 200),
      arguments: args.slice(0, mostArguments).map((each) => ({ name: each.name, required: each.required === true })),
    })
  }
  return [...byCommand.values()]
}

/** `<city> [state]` */
export const promptHint = (prompt: McpPrompt): string =>
  prompt.arguments.map(({ name, required }) => (required ? `<${shownName(name)}>` : `[${shownName(name)}]`)).join(' ')

/**
 * The text after a command as the arguments of its prompt: in order, or as `name=value`. Quotes keep words together,
 * and the last argument takes everything that is left.
 */
export function promptArguments(prompt: McpPrompt, typed: string): Record<string, string> {
  const given = new Map<string, string>()
  const open = () => prompt.arguments.filter(({ name }) => !given.has(name))
  let rest = typed.trim()
  while (rest !== '') {
    const named = /^([^\s=]+)=("[^"]*"|'[^']*'|\S*)\s*/.exec(rest)
    if (named?.[1] && open().some(({ name }) => name === named[1])) {
      given.set(named[1], unquoted(named[2] ?? ''))
      rest = rest.slice(named[0].length)
      continue
    }
    const [next, ...later] = open()
    if (!next) throw new Error(`/${prompt.command} takes no more than: ${promptHint(prompt) || 'nothing'}.`)
    // Only the last one may be several words without quotes.
    const word = /^("[^"]*"|'[^']*'|\S+)\s*/.exec(rest)
    const taken = later.length === 0 && !/^["'][^"']*["']$/.test(rest) ? rest : (word?.[1] ?? rest)
    given.set(next.name, unquoted(taken))
    rest = rest.slice(taken.length).trim()
  }
  const missing = prompt.arguments.filter(({ name, required }) => required && !given.get(name))
  if (missing.length > 0)
    throw new Error(
      `/${prompt.command} needs ${missing.map(({ name }) => shownName(name)).join(' and ')}. Type: /${prompt.command} ${promptHint(prompt)}`,
    )
  return Object.fromEntries(given)
}

const unquoted = (text: string): string => (/^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text)

/** The content of a prompt as one message: its texts, followed by its images and resources. */
export function promptMessage({ messages }: GetPromptResult): { text: string; attachments: Attachment[] } {
  const texts: string[] = []
  const attachments: Attachment[] = []
  for (const { role, content } of messages) {
    // All of it becomes one message of the user, so the model is told which parts are written as its own answers.
    const say = (text: string): void => void texts.push(role === 'assistant' ? `You answered: ${text}` : text)
    if (content.type === 'text') say(visibleText(content.text))
    else if (content.type === 'resource') attachments.push(attachmentOf(content.resource))
    else if (content.type === 'resource_link') say(`[Resource ${content.name}: ${content.uri}]`)
    else if (content.type === 'image' && shownImages.test(content.mimeType))
      attachments.push({ name: 'Image of a prompt', mimeType: content.mimeType, data: content.data })
    else say(`[${content.type} (${content.mimeType}), which cannot be shown]`)
  }
  return { text: texts.join('\n\n'), attachments }
}

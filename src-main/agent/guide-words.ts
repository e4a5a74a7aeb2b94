import type { Topic } from './guide-intent'

const tryThese = `- run \`ls -la\`
- start \`ping localhost\` in the background
- read README.md
- find TODO in src
- list files
- what time is it`

/** What the guide has to say. It always says what it is. */
export const topicWords: Record<Topic, string> = {
  greeting: `Hello. I am the built-in guide: a set of rules, not a language model, and I work without a network. I can show you how Deckhand works, with the same tools and the same approvals that a real model gets.

Try one of these:

${tryThese}

Say **models** to learn how to add a real one, or **help** for more.`,
  thanks: 'You are welcome. Say **help** to see what else there is to try.',
  self: `I am the offline guide that comes with Deckhand. I follow fixed rules and understand only plain requests; I am not a language model and do not send anything anywhere.

Deckhand is a desktop agent that you can watch: you chat with a model, it asks before it does anything that matters, and each command it runs has a live terminal of its own. Say **models** to connect a real model.`,
  help: `I am the built-in guide: rules, not a language model. These requests I understand:

${tryThese}
- write hello to notes.txt
- replace hello with goodbye in notes.txt
- what is running, show its output, stop it

And these I can explain: **models**, **approvals**, **terminals**, **sessions**, **keyboard**. For anything else, connect a real model: say **models**.`,
  models: `To talk to a real model, open **Settings → Models** and add a provider:

- **OpenAI-compatible** (OpenAI, OpenRouter and many others): the base URL and a key.
- **Anthropic**: a key.
- **Local**: start Ollama, LM Studio or llama.cpp, and Deckhand finds it by itself. No key is needed.

*Test* checks the connection. Then choose the model below the message box. Keys are kept in the keychain of your system and go to their own provider only.`,
  approvals: `Before a call does something that matters, a card asks you. It shows the whole command and why it asks. You can:

- **Allow once**, for this session, or always by the rule that the card spells out
- **Edit** the command and then allow it
- **Deny**, with a note that the model will read

The mode below the message box says how much is asked: everything, all but safe reads (the default), only what leaves the workspace, or nothing. *Read-only* refuses every change. Rules can be seen and revoked in the settings. To see a card now, say: run \`touch hello.txt\``,
  terminals: `Every command runs in a terminal of its own, on the right. You can read along, search, scroll back, type into it, press Ctrl-C or end it; the button below opens one for yourself.

A command in the background stays there while we go on talking, and the agent is told when it ends. Try: start \`ping localhost\` in the background. Then say: stop it`,
  sessions: `Sessions are on the left and are kept on disk: quit whenever you like, everything is there when you come back, questions that wait for you too. You can search all of them, rename, delete and export them as Markdown or JSON.

What you send while the agent works is queued above the message box: edit it, remove it, or send it into the running turn. Any of your past messages can be edited to branch off from there.`,
  keys: 'Everything can be done from the keyboard. The command palette lists all there is, with its keys; the sheet of shortcuts is in there too, under **Keyboard shortcuts**.',
}

export const whichCommand = 'I only know rules, so I need the exact command. For example: run `npm test`'

export const unknownWords = `I did not understand that. I am the built-in offline guide: a few rules, not a language model. I understand plain requests such as:

${tryThese}

Say **help** for all of them, or **models** to connect a model that understands everything else.`

export const nothingRuns =
  'Nothing that I started is running. To start something: start `ping localhost` in the background'

export const missingTool = (name: string) =>
  `That would need the tool ${name}, which this session's set of tools does not have under that name.`

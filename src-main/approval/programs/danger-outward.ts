import type { Danger } from '../finding'
import type { Field } from '../shell/field'
import type { DangerCheck } from './danger-check'
import { activeSetting, readGitConfig } from './git-config'

const PUBLISH: Danger = { word: 'publish', reason: 'publishes something for everybody to see' }

/** What makes programs of services print a key or a password: their words without options, joined. */
const TOKEN_PRINTERS: readonly (readonly [string, RegExp])[] = [
  ['gcloud', /^auth (?:application-default )?print-\w+-token|^secrets versions access/],
  [
    'aws',
    /^configure (?:get \S*(?:secret|token)|export-credentials)|^sts (?:get-session-token|assume-role)|get-secret-value|get-login-password/,
  ],
  ['az', /^account get-access-token|^keyvault secret (?:show|download)/],
  ['kubectl', /\b(?:get|describe|edit) (?:\S+,)?secrets?\b|\bcreate token/],
  ['oc', /\b(?:get|describe|edit) (?:\S+,)?secrets?\b/],
  ['heroku', /^auth:token|^config\b/],
  ['vault', /^(?:read|kv get|token create|print token)/],
  ['fly', /^auth token/],
  ['flyctl', /^auth token/],
  ['bw', /^(?:get|export|list)\b/],
  ['lpass', /^(?:show|export)\b/],
  ['keepassxc-cli', /^(?:show|export|clip)\b/],
  ['ansible-vault', /^(?:view|decrypt|edit)\b/],
]

const tokenCheck =
  (deeds: RegExp): DangerCheck =>
  (_args, words) =>
    deeds.test(words.filter((word) => !word.startsWith('-')).join(' '))
      ? { word: 'secret', reason: 'prints a key or a password' }
      : null

/** Programs that publish, overwrite what others have, read passwords or configure agents. */
export const OUTWARD_CHECKS: readonly (readonly [string, DangerCheck])[] = [
  ['docker', dockerCheck],
  ['podman', dockerCheck],
  ['git', gitCheck],
  ['npm', packageCheck],
  ['pnpm', packageCheck],
  ['yarn', packageCheck],
  ['bun', packageCheck],
  ['cargo', (_args, words) => (/^(?:publish|yank|owner|login)$/.test(words[0] ?? '') ? PUBLISH : null)],
  ['gem', (_args, words) => (/^(?:push|yank|owner)$/.test(words[0] ?? '') ? PUBLISH : null)],
  ['twine', (_args, words) => (words.includes('upload') ? PUBLISH : null)],
  ['poetry', (_args, words) => (words.includes('publish') ? PUBLISH : null)],
  ['flit', (_args, words) => (words.includes('publish') ? PUBLISH : null)],
  ['hatch', (_args, words) => (words.includes('publish') ? PUBLISH : null)],
  ['pdm', (_args, words) => (words.includes('publish') ? PUBLISH : null)],
  ['uv', (_args, words) => (words[0] === 'publish' ? PUBLISH : null)],
  ['lerna', (_args, words) => (words[0] === 'publish' ? PUBLISH : null)],
  ['changeset', (_args, words) => (words[0] === 'publish' ? PUBLISH : null)],
  ['semantic-release', () => PUBLISH],
  ['vsce', (_args, words) => (/^(?:publish|unpublish)$/.test(words[0] ?? '') ? PUBLISH : null)],
  ['ovsx', (_args, words) => (words[0] === 'publish' ? PUBLISH : null)],
  ['mvn', (_args, words) => (words.some((word) => /^(?:deploy|release:\w+)$/.test(word)) ? PUBLISH : null)],
  ['gradle', (_args, words) => (words.some((word) => /publish/i.test(word) && !/local/i.test(word)) ? PUBLISH : null)],
  ['gradlew', (_args, words) => (words.some((word) => /publish/i.test(word) && !/local/i.test(word)) ? PUBLISH : null)],
  ['dotnet', (_args, words) => (words[0] === 'nuget' && words[1] === 'push' ? PUBLISH : null)],
  ['nuget', (_args, words) => (words[0] === 'push' ? PUBLISH : null)],
  [
    'gh',
    (_args, words) =>
      /^(?:release create|repo delete|repo edit|secret set|auth token|release delete|gist create)$/.test(
        words.slice(0, 2).join(' '),
      )
        ? words[1] === 'token'
          ? { word: 'secret', reason: 'prints a token' }
          : PUBLISH
        : null,
  ],
  ['goreleaser', (_args, words) => (words[0] === 'release' ? PUBLISH : null)],
  ['helm', (_args, words) => (words[0] === 'push' ? PUBLISH : null)],
  ['pod', (_args, words) => (words[0] === 'trunk' ? PUBLISH : null)],
  [
    'security',
    (_args, words) =>
      /^(?:find-|dump-|export)/.test(words[0] ?? '') ? { word: 'secret', reason: 'reads the keychain' } : null,
  ],
  [
    'gpg',
    (_args, words) =>
      words.some((word) => /^--export-secret/.test(word)) ? { word: 'secret', reason: 'exports a secret key' } : null,
  ],
  [
    'pass',
    (_args, words) =>
      words.length > 0 && !/^(?:ls|list|version|help)$/.test(words[0] ?? '')
        ? { word: 'secret', reason: 'reads a password' }
        : null,
  ],
  [
    'op',
    (_args, words) =>
      /^(?:read|item|document)$/.test(words[0] ?? '') ? { word: 'secret', reason: 'reads a password' } : null,
  ],
  [
    'secret-tool',
    (_args, words) =>
      /^(?:lookup|search)$/.test(words[0] ?? '') ? { word: 'secret', reason: 'reads a password' } : null,
  ],
  ...TOKEN_PRINTERS.map(([name, deeds]) => [name, tokenCheck(deeds)] as const),
  ['claude', mcpCheck],
  ['codex', mcpCheck],
  ['gemini', mcpCheck],
  ['deckhand', mcpCheck],
  [
    'code',
    (_args, words) =>
      words.some((word) => /^--add-mcp/.test(word)) ? { word: 'config', reason: 'configures an agent' } : null,
  ],
]

function dockerCheck(_args: readonly Field[], words: readonly string[]): Danger | null {
  if (words[0] === 'push' || (words[0] === 'image' && words[1] === 'push')) return PUBLISH
  return /^(?:system|volume)$/.test(words[0] ?? '') &&
    words[1] === 'prune' &&
    words.some((word) => /^(?:-a|--all|--volumes|-[a-z]*a[a-z]*)$/.test(word))
    ? { word: 'delete', reason: 'deletes everything that no container uses right now' }
    : null
}

function packageCheck(_args: readonly Field[], words: readonly string[]): Danger | null {
  const rest = words.filter((word) => !word.startsWith('-'))
  const verb = rest[0] === 'npm' ? rest[1] : rest[0]
  if (
    /^(?:publish|unpublish|deprecate|owner|dist-tag|token|adduser|access|star)$/.test(verb ?? '') &&
    !/^(?:ls|list)$/.test(rest[1] ?? '')
  )
    return PUBLISH
  if ((verb === 'config' && rest[1] === 'set') || (verb === 'set' && rest.length > 1))
    return { word: 'config', reason: 'changes how packages are installed and run' }
  return null
}

function gitCheck(_args: readonly Field[], words: readonly string[]): Danger | null {
  let index = 0
  while (index < words.length && (words[index] as string).startsWith('-'))
    index += /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(words[index] as string) ? 2 : 1
  const verb = words[index]
  const rest = words.slice(index + 1)
  if (verb === 'push') {
    const forced = rest.some(
      (word) =>
        /^(?:-[a-z]*[fd][a-z]*|--force.*|--forc|--for|--mirror|--delete|--del.*|--prune)$/.test(word) ||
        /^\+|^:[^/]/.test(word),
    )
    if (forced) return { word: 'push', reason: 'overwrites or deletes what others have in the remote repository' }
  }
  if (verb === 'credential') return { word: 'secret', reason: 'reads a password' }
  if (verb === 'config') {
    const keys = rest.filter((word) => !word.startsWith('-'))
    const [key, value] = keys
    const reading =
      rest.some((word) => /^(?:--get.*|--list|-l|get|list)$/.test(word)) ||
      (keys.length < 2 && !rest.includes('--edit') && !rest.includes('-e'))
    const entries =
      key !== undefined && value !== undefined
        ? readGitConfig(`[${key.split('.')[0]}]\n${key.split('.').at(-1)} = x`)
        : null
    if (
      !reading &&
      (entries === null ||
        activeSetting([{ name: key?.toLowerCase() ?? '', value: value ?? '' }]) !== null ||
        /hookspath/i.test(key ?? ''))
    )
      return { word: 'config', reason: `sets ${key ?? 'the configuration'}, which may run a program` }
  }
  return historyDanger(verb, words.slice(index + 1))
}

/** History that does not come back. */
function historyDanger(verb: string | undefined, rest: readonly string[]): Danger | null {
  if (verb === 'filter-branch' || verb === 'filter-repo')
    return { word: 'delete', reason: 'rewrites the history of the repository' }
  const expires = verb === 'reflog' && /^(?:expire|delete)$/.test(rest[0] ?? '')
  const removes = verb === 'update-ref' && rest.includes('-d')
  return expires || removes ? { word: 'delete', reason: 'deletes the history of the repository' } : null
}

function mcpCheck(_args: readonly Field[], words: readonly string[]): Danger | null {
  return words[0] === 'mcp' && /^(?:add|add-json|remove|install)/.test(words[1] ?? '')
    ? { word: 'config', reason: 'configures an agent' }
    : words.some((word) => /^--(?:dangerously|yolo|full-auto)/.test(word))
      ? { word: 'config', reason: 'starts an agent without its own questions' }
      : null
}

import type { Danger } from '../finding'
import { type Field, UNKNOWN } from '../shell/field'
import { type Carried, plain } from './carried'
import { onVerb, PUBLISH, printsToken } from './dangers'
import type { Family, ProgramFacts } from './facts'

const CONTAINERS: ProgramFacts = {
  versionWords: ['--version', '-v'],
  danger: containerDanger,
  carries: containerCommand,
  purpose: 'works with containers',
  talksOutside: true,
  exactRules: true,
}

/** Containers and clusters. */
export const CONTAINER_PROGRAMS: Family = {
  docker: { ...CONTAINERS, connects: /^(?:pull|push|login|build|run)$/, hasVerbs: true },
  podman: CONTAINERS,
  nerdctl: { talksOutside: true },
  kubectl: {
    danger: printsToken(/\b(?:get|describe|edit) (?:\S+,)?secrets?\b|\bcreate token/),
    carries: containerCommand,
    connects: /^.+$/,
    purpose: 'works with a cluster',
    hasVerbs: true,
    exactRules: true,
  },
  oc: { danger: printsToken(/\b(?:get|describe|edit) (?:\S+,)?secrets?\b/) },
  helm: { danger: onVerb(/^push$/, PUBLISH), exactRules: true },
}

function containerDanger(_args: readonly Field[], words: readonly string[]): Danger | null {
  if (words[0] === 'push' || (words[0] === 'image' && words[1] === 'push')) return PUBLISH
  return /^(?:system|volume)$/.test(words[0] ?? '') &&
    words[1] === 'prune' &&
    words.some((word) => /^(?:-a|--all|--volumes|-[a-z]*a[a-z]*)$/.test(word))
    ? { word: 'delete', reason: 'deletes everything that no container uses right now' }
    : null
}

/** What runs in a container stays there, unless the machine's own root is mounted into it. */
function containerCommand(args: readonly Field[]): Carried[] {
  const mounted = args.some(
    (field, index) =>
      /^(?:-v|--volume|--mount)$/.test(args[index - 1]?.text ?? '') && /^\/:|source=\/,|src=\/,/.test(field.text),
  )
  return mounted || args.some((field) => field.text === '--privileged')
    ? [{ kind: 'argv', fields: [plain('sudo'), plain(UNKNOWN)] }]
    : []
}

import { isInterpreter, isShell } from '../programs/interpreters'
import type { Invocation } from '../shell/plan'
import { baseName } from '../shell/program-name'
import type { Effects } from './touches'

/** Words that a reason of ours begins with. Anything else at its beginning is a program or a file, and stays as it is. */
const OUR_WORDS = new Set(
  `it its nobody the this that there only begins ends goes puts uses asks expands lacks reads writes rewrites overwrites
  deletes erases changes touches runs starts switches configures sets publishes prints hides hands gives exports`.split(
    /\s+/,
  ),
)

/** A reason as a sentence, in which `rm` and `package.json` keep their spelling. */
export function sentence(text: string): string {
  const [first = ''] = /^[a-z]+(?=\s)/.exec(text) ?? []
  return (OUR_WORDS.has(first) ? text.charAt(0).toUpperCase() + text.slice(1) : text).slice(0, 400)
}

const RUNNERS = /^(?:npm|pnpm|yarn|bun)$/
const INSTALLS = /^(?:i|install|ci|add|update|upgrade|up|dedupe|link|get|remove|uninstall|rm)$/
const BUILDERS =
  /^(?:make|gmake|cmake|ninja|just|task|mage|bazel|gradle|gradlew|mvn|mvnw|ant|sbt|rake|cargo|go|dotnet|swift|tox|nox|pytest|jest|vitest|mocha|playwright|tsc|eslint|prettier|biome|webpack|vite|rollup|esbuild|tsx|ts-node|turbo|nx|lerna)$/
const INSTALLERS =
  /^(?:pip[\d.]*|pipx|uv|poetry|pdm|conda|apt|apt-get|dnf|yum|pacman|brew|gem|bundle|composer|cargo|go)$/
const ONCE = /^(?:npx|bunx|pnpx|uvx)$/
const GIT_WRITES =
  /^(?:add|am|apply|bisect|branch|checkout|cherry-pick|clean|commit|config|gc|init|merge|mv|notes|rebase|reset|restore|revert|rm|stash|submodule|switch|tag|worktree)$/
const ONE_PURPOSE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    kill: 'ends processes',
    pkill: 'ends processes by their name',
    killall: 'ends processes by their name',
    ln: 'makes links',
    tar: 'packs or unpacks files',
    unzip: 'unpacks files',
    zip: 'packs files',
    docker: 'works with containers',
    podman: 'works with containers',
    kubectl: 'works with a cluster',
    psql: 'works with a database',
    mysql: 'works with a database',
    sqlite3: 'works with a database',
    redis: 'works with a database',
    crontab: 'changes what runs by the clock',
    systemctl: 'changes the services of the system',
    tmux: 'starts or steers terminals',
    screen: 'starts or steers terminals',
    sed: 'may change files',
    dd: 'copies raw data',
    patch: 'changes files',
    source: 'runs a script in the shell itself',
    '.': 'runs a script in the shell itself',
    eval: 'runs text as a command',
    export: 'sets variables',
  }),
)

/**
 * What a program that asks would do, in words for the card: `rm deletes node_modules`. `null` where only the reason why it
 * is no harmless reading is known.
 */
export function deedOf({ fields }: Invocation, effects: Effects): string | null {
  const [program, ...args] = fields
  if (!program || program.unknown) return null
  const name = baseName(program.text)
  const verb = args.find(({ text }) => !text.startsWith('-'))?.text ?? ''
  if (effects.deletes?.length) return `${name} deletes ${placed(effects.deletes)}`
  if (RUNNERS.test(name)) return packageDeed(name, verb)
  if (ONCE.test(name)) return `${name} downloads and runs ${verb || 'a package'}`
  if (INSTALLERS.test(name) && INSTALLS.test(verb)) return `${name} ${verb} installs or removes packages`
  if (effects.connects?.length) return `${named(name, verb)} connects to ${listed(effects.connects)}`
  if (name === 'git' && GIT_WRITES.test(verb)) return `git ${verb} changes the repository`
  if (BUILDERS.test(name)) return `${named(name, verb)} runs code of the project`
  if (isShell(name) || isInterpreter(name))
    return effects.runs?.length ? `${name} runs ${shorten(effects.runs[0] ?? '')}` : `${name} runs code`
  if (effects.writes?.length)
    return `${name} ${/^ch(?:mod|own)$/.test(name) ? 'changes the rights of' : 'writes'} ${placed(effects.writes)}`
  const purpose = ONE_PURPOSE.get(name)
  if (purpose !== undefined) return `${name} ${purpose}`
  return effects.runs?.length ? `${name} runs ${shorten(effects.runs[0] ?? '')}` : null
}

function packageDeed(name: string, verb: string): string {
  if (verb === '' || INSTALLS.test(verb))
    return `${[name, verb].filter(Boolean).join(' ')} installs or removes packages, which may run scripts of their own`
  if (/^(?:dlx|exec|x|create|init)$/.test(verb)) return `${name} ${verb} downloads and runs a package`
  return `${name} ${verb} runs scripts of the project`
}

/** Programs with verbs are better known together with them. */
const named = (name: string, verb: string): string =>
  /^(?:git|cargo|go|docker|gh|kubectl|dotnet)$/.test(name) && /^[a-z][\w-]*$/.test(verb) ? `${name} ${verb}` : name

const listed = (items: readonly string[]): string =>
  items.length > 3
    ? `${items.slice(0, 2).join(', ')} and ${items.length - 2} more`
    : items.length > 1
      ? `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
      : (items[0] ?? '')

/** Paths inside the workspace are shown relative to it. */
const placed = (paths: readonly string[]): string =>
  paths.some((path) => /^[/~]/.test(path)) ? `${listed(paths)}, outside the workspace` : listed(paths)

const shorten = (text: string): string => {
  const line = text.split('\n')[0] ?? ''
  return line.length > 80 || line !== text ? `${line.slice(0, 80)} …` : line
}

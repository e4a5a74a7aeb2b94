import type { Danger } from '../finding'
import type { Field } from '../shell/field'
import { afterOptions, type Carried, scriptOptions, wordsWithSpaces, wrapped } from './carried'
import { onVerb, PUBLISH } from './dangers'
import { type Doubt, doubt, type Family, type ProgramFacts, type ReadingContext } from './facts'
import { flagCode } from './interpreted-code'
import { NPMRC, packageScript } from './node-packages'
import { readOptions } from './options'
import { projectFilesDoubt } from './project-files'

/** Package managers: they run scripts of the project, and of whatever they install. */
const MANAGER: ProgramFacts = {
  packages: 'manager',
  exactRules: true,
  danger: managerDanger,
  content: packageScript,
  foreignText: (line) => /^ (?:view|info|show|v|search)\b/.test(line),
}

/** Scripts of package.json by their names alone: what follows a name is handed to the script. */
const scripts = (name: string, without: readonly string[] = []): ProgramFacts['families'] => ({
  scripts: {
    words: `\`${name} run\` with any script of package.json`,
    verb: /^(?:run|run-script|test|t|start)$/,
    options: { short: 's', long: 'silent' },
    operands: 'script',
    without,
  },
})

/** They run a package, from the project or fetched for the occasion. */
const ONCE: ProgramFacts = { packages: 'once', exactRules: true, runsInstalled: true }

const JAVASCRIPT: ProgramFacts = { runs: 'interpreter', carries: flagCode }

const NPM: ProgramFacts = {
  ...MANAGER,
  versionWords: ['--version', '-v'],
  reads: (words, context) => npmReading(words, context),
  projectFiles: [NPMRC],
  // Without them it asks the registry of the project for a newer npm, whatever it was told to do.
  quietEnvironment: { npm_config_update_notifier: 'false', npm_config_offline: 'true' },
  carries: packageCommand,
  connects: /^(?:i|install|ci|add|update|publish|view|audit|outdated|exec|init|create|login)$/,
  families: scripts('npm'),
}

/** Node and what comes with it. */
export const NODE: Family = {
  npm: NPM,
  pnpm: {
    ...MANAGER,
    projectFiles: [NPMRC],
    carries: packageCommand,
    connects: /^(?:i|install|add|update|publish|dlx)$/,
    families: scripts('pnpm', ['pnpm-workspace.yaml', '.pnpmfile.cjs']),
  },
  yarn: {
    ...MANAGER,
    carries: packageCommand,
    connects: /^(?:install|add|upgrade|publish|dlx)$/,
    // They may name another yarn, shells and plugins.
    families: scripts('yarn', ['.yarnrc', '.yarnrc.yml', '.npmrc']),
  },
  bun: {
    ...MANAGER,
    ...JAVASCRIPT,
    versionWords: ['--version', '-v'],
    // `bun test` is its own test runner, not a script.
    content: (args, cwd, places) => (args[0] === 'test' ? [] : packageScript(args, cwd, places)),
    families: scripts('bun', ['bunfig.toml', '.npmrc']),
  },
  npx: { ...ONCE, carries: wrapped('p'), connects: /^.+$/ },
  bunx: { ...ONCE, carries: wrapped('') },
  pnpx: ONCE,
  node: { ...JAVASCRIPT, versionWords: ['--version', '-v'] },
  nodejs: JAVASCRIPT,
  deno: { ...JAVASCRIPT, versionWords: ['--version', '-V'], exactRules: true },
  'biome esbuild eslint jest mocha nx playwright prettier rollup ts-node tsc tsx turbo vite vitest webpack': {
    runsProject: true,
  },
  lerna: { runsProject: true, danger: onVerb(/^publish$/, PUBLISH) },
  'changeset ovsx': { danger: onVerb(/^publish$/, PUBLISH) },
  vsce: { danger: onVerb(/^(?:publish|unpublish)$/, PUBLISH) },
  'semantic-release': { danger: () => PUBLISH },
  'nodemon concurrently': { carries: wordsWithSpaces },
}

/** Only the dependency tree, as it lies on disk. */
function npmReading(words: readonly string[], context: ReadingContext): Doubt | null {
  const [name, ...args] = words
  if (name !== 'ls' && name !== 'list')
    return doubt('program', `npm ${name ?? ''} runs project scripts`.replace('  ', ' '))
  const read = readOptions(args, { short: 'alp', long: 'all long parseable json depth= omit= include= prod dev' })
  if (typeof read === 'string') return doubt('program', `npm ${name}: ${read}`)
  if (read.operands.some((operand) => !/^(?:@[\w.-]+\/)?[\w.-]+(?:@[\w.^~-]+)?$/.test(operand)))
    return doubt('program', `npm ${name} has an unusual operand`)
  return projectFilesDoubt('npm', NPM, context)
}

/** `npm exec`, `pnpm dlx`. */
function packageCommand(args: readonly Field[]): Carried[] {
  if (!/^(?:exec|x|dlx)$/.test(args[0]?.text ?? '')) return []
  return [{ kind: 'argv', fields: afterOptions(args.slice(1), '') }, ...scriptOptions(args, ['-c', '--call'])]
}

function managerDanger(_args: readonly Field[], words: readonly string[]): Danger | null {
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

/** Settings under which git starts nothing by the way and takes no folder of a project for a repository by its looks. */
export const GIT_PROTECTION: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['log.showSignature', 'false'],
  ['safe.bareRepository', 'explicit'],
]

/** Further settings for a git that only reads. */
const READING: typeof GIT_PROTECTION = [['core.hooksPath', '/dev/null']]

/** Settings as variables, which come before those of any file. */
export const gitEnvironment = (settings: typeof GIT_PROTECTION): Record<string, string> => ({
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
})

/** For a git that only reads: no lock files, no hooks, no pager, no helper programs, no network, no questions. */
export const gitReadingEnvironment: Readonly<Record<string, string>> = {
  ...gitEnvironment([...GIT_PROTECTION, ...READING]),
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
}

export interface ConfigEntry {
  /** `section.key` or `section.subsection.key`; section and key in lower case. */
  name: string
  value: string
}

/** Reads a git configuration; `null` for anything that is not plainly written, since git may read it differently. */
export function readGitConfig(text: string): ConfigEntry[] | null {
  const entries: ConfigEntry[] = []
  let section = ''
  for (let line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    line = line.trim()
    const header = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*/.exec(line)
    if (header) {
      section = (header[1] ?? '').toLowerCase() + (header[2] === undefined ? '' : `.${header[2]}`)
      line = line.slice(header[0].length)
    }
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    const entry = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/.exec(line)
    // A value that goes on in the next line would swallow it.
    if (!entry || section === '' || line.endsWith('\\')) return null
    entries.push({
      name: `${section}.${(entry[1] ?? '').toLowerCase()}`,
      value: (entry[2] ?? 'true').replace(/^"(.*)"$/, '$1'),
    })
  }
  return entries
}

/** Settings that cannot make a reading git run a program, follow another file or leave the folder. */
const INERT = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|longpaths|hidedotfiles|abbrev|quotepath|untrackedcache|sparsecheckout|sparsecheckoutcone|commitgraph|multipackindex|preloadindex|checkstat|trustctime|fscache|whitespace|commentchar|compression|bigfilethreshold|hookspath|editor|protectntfs|protecthfs|splitindex|deltabasecachelimit|packedgitlimit|looseCompression|sharedrepository|warnambiguousrefs)$/i,
  /^remote\..*\.(?:url|pushurl|fetch|push|tagopt|prune|prunetags|mirror|gh-resolved|skipfetchall|skipdefaultupdate|followremotehead)$/,
  /^remote\.(?:pushdefault)$/,
  /^branch\./,
  /^user\.(?:name|email|signingkey|useconfigonly)$/,
  /^author\.|^committer\./,
  /^(?:pull|push|fetch|init|gc|maintenance|advice|rerere|rebase|http|https|safe|pack|index|feature|receive|transfer|am|apply|stash|clone|checkout|blame|column|grep|versionsort|notes|i18n|gui|gitk|tag|revert|cherry|worktree|trailer|format|sendemail|svn|svn-remote|github|gitlab|hub)\..*$/,
  /^url\..*\.(?:insteadof|pushinsteadof)$/,
  /^color\.(?!pager)/,
  /^commit\.(?:gpgsign|verbose|cleanup|status)$/,
  /^merge\.(?:ff|conflictstyle|renamelimit|log|stat|autostash|defaulttoupstream|renames)$/,
  /^status\.(?!submodulesummary)/,
  /^log\.(?:date|decorate|abbrevcommit|follow|showroot|mailmap|graphcolors|excludedecoration)$/,
  /^diff\.(?:algorithm|renames|renamelimit|colormoved|colormovedws|mnemonicprefix|noprefix|context|interhunkcontext|indentheuristic|wserrorhighlight|wordregex|statgraphwidth|relative|autorefreshindex|suppressblankempty)$/,
  /^diff\.[^.]+\.(?:xfuncname|funcname|binary|wordregex|algorithm|cachetextconv)$/,
  /^extensions\.(?:worktreeconfig|objectformat|refstorage|preciousobjects|noop|noop-v1)$/,
  /^submodule\..*\.(?:url|active|branch|path|shallow|fetchrecursesubmodules)$/,
  /^submodule\.(?:active|recurse|fetchjobs|alternatelocation|alternateerrorstrategy)$/,
  /^filter\.lfs\.(?:required)$/,
  // Not its extensions and transfers, which are programs.
  /^lfs\.(?:url|pushurl|repositoryformatversion|locksverify|fetchinclude|fetchexclude|allowincompletepush|concurrenttransfers|skipdownloaderrors|.*\.(?:access|locksverify))$/,
]
/** Written by `git lfs install` into very many repositories. */
const LFS = /^filter\.lfs\.(?:clean|smudge|process)$/
const LFS_VALUE = /^git-lfs (?:clean -- %f|smudge -- %f|filter-process|smudge --skip -- %f|filter-process --skip)$/

const SUBMODULE_IGNORE = /^submodule\..*\.ignore$/

/** Whether a `.gitmodules` sends a reading git into submodules, whose own settings then count. */
export const entersSubmodules = (entries: readonly ConfigEntry[]): boolean =>
  entries.some(({ name, value }) => SUBMODULE_IGNORE.test(name) && !/^(?:all|dirty)$/.test(value))

/** The first setting that names a program or leads elsewhere; `null` when there is none. */
export function activeSetting(entries: readonly ConfigEntry[]): string | null {
  const found = entries.find(({ name, value }) => {
    if (LFS.test(name)) return !LFS_VALUE.test(value)
    if (/^remote\..*\.url$/.test(name)) return /^(?:ext|fd)::|^-/.test(value)
    if (SUBMODULE_IGNORE.test(name)) return entersSubmodules([{ name, value }])
    // git prints lines that are not commit ids in its error message, so this setting can show any file.
    if (name === 'blame.ignorerevsfile') return value !== '.git-blame-ignore-revs'
    // %G checks signatures, for which git starts another program.
    if (name === 'format.pretty') return /%G|%\(signature/.test(value)
    return !INERT.some((pattern) => pattern.test(name))
  })
  return found?.name ?? null
}

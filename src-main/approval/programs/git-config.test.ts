import { describe, expect, test } from 'vitest'
import { activeSetting, readGitConfig } from './git-config'

const ORDINARY = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
	hooksPath = .husky/_
[remote "origin"]
	url = git@example.com:a/b.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
	merge = refs/heads/main
[user]
	name = Somebody
	email = "some@example.com"
[filter "lfs"]
	clean = git-lfs clean -- %f
	process = git-lfs filter-process
	required = true
# a comment
; another
[submodule "x"]
	url = https://example.com/x
`

test('an ordinary repository names no programs', () => expect(activeSetting(readGitConfig(ORDINARY) ?? [])).toBeNull())

describe.each([
  ['[core]\n\tfsmonitor = ./x', 'core.fsmonitor'],
  ['[core] fsmonitor = ./x', 'core.fsmonitor'],
  ['[CORE]\nFsMonitor=./x', 'core.fsmonitor'],
  ['[core]\nfsmonitor', 'core.fsmonitor'],
  ['[core]\npager = ./x', 'core.pager'],
  ['[core]\nsshCommand = ./x', 'core.sshcommand'],
  ['[core]\nworktree = /', 'core.worktree'],
  ['[core]\ngitProxy = x', 'core.gitproxy'],
  ['[diff]\nexternal = ./x', 'diff.external'],
  ['[diff "ev"]\ntextconv = ./x', 'diff.ev.textconv'],
  ['[diff "ev"]\ncommand = ./x', 'diff.ev.command'],
  ['[diff.ev]\ncommand = ./x', 'diff.ev.command'],
  ['[filter "x"]\nclean = ./x', 'filter.x.clean'],
  ['[filter "lfs"]\nclean = ./x', 'filter.lfs.clean'],
  ['[include]\npath = ../x', 'include.path'],
  ['[includeIf "gitdir:/"]\npath = ../x', 'includeif.gitdir:/.path'],
  ['[alias]\nstatus = !x', 'alias.status'],
  ['[gpg]\nprogram = ./x', 'gpg.program'],
  ['[log]\nshowSignature = true', 'log.showsignature'],
  ['[pager]\nlog = ./x', 'pager.log'],
  ['[remote "o"]\npromisor = true', 'remote.o.promisor'],
  ['[remote "o"]\nuploadpack = ./x', 'remote.o.uploadpack'],
  ['[remote "o"]\nurl = ext::sh -c x', 'remote.o.url'],
  ['[extensions]\npartialClone = o', 'extensions.partialclone'],
  ['[credential]\nhelper = !x', 'credential.helper'],
  ['[submodule "x"]\nupdate = !x', 'submodule.x.update'],
  ['[diff]\nsubmodule = diff', 'diff.submodule'],
])('%j', (text, name) => {
  test(`is caught by ${name}`, () => expect(activeSetting(readGitConfig(text) ?? [])).toBe(name))
})

test.each([
  '[core\nfsmonitor = x',
  '[core]\nx = y\\\nfsmonitor = z',
  'fsmonitor = x',
  '[core]\n= x',
  '[a "b\n"]',
  '[core]\nfs monitor = x',
])('%j is not read at all', (text) => expect(readGitConfig(text)).toBeNull())

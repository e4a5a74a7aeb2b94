import { withoutInvisible } from '../visible'

const REPOSITORY = new Set(['.git', 'git~1', '.hg', '.svn', '.jj', '.gitmodules'])
const HOOKS = new Set(
  `.husky .githooks .lefthook lefthook.yml lefthook.yaml .lefthook.yml .pre-commit-config.yaml .overcommit.yml
  .lintstagedrc .lintstagedrc.json .simple-git-hooks.json .pnpmfile.cjs pnpmfile.cjs`.split(/\s+/),
)
const CI = new Set(
  `.gitlab-ci.yml .circleci .travis.yml .drone.yml .buildkite .ci .woodpecker.yml .woodpecker .cirrus.yml .semaphore
  azure-pipelines.yml azure-pipelines.yaml .azure-pipelines bitbucket-pipelines.yml jenkinsfile appveyor.yml
  cloudbuild.yaml cloudbuild.yml .forgejo .gitea buildspec.yml .gitlab`.split(/\s+/),
)
const EDITOR = new Set(
  `.vscode .idea .devcontainer devcontainer.json .zed .fleet .vs .nvim.lua .nvimrc .exrc .vimrc .gvimrc .dir-locals.el .emacs
  .emacs.d .sublime-project .theia .nova`.split(/\s+/),
)
const AGENT = new Set(
  `agents.md agent.md claude.md gemini.md soul.md copilot-instructions.md .cursorrules .clinerules .goosehints .rules mcp.json
  opencode.json opencode.jsonc mcp_settings.json claude_desktop_config.json`.split(/\s+/),
)
/** Folders and files of agents, whatever follows the name: `.claude/`, `.claude.json`, `.mcp.local.json`. */
const AGENT_PREFIX =
  /^\.(?:claude|cursor|codex|gemini|aider|continue|windsurf|cline|roo|mcp|deckhand|opencode|agents?|kiro|amp|junie|augment|goose|copilot|codeium|tabnine|crush|qwen|trae|openhands|openclaw|zencoder|factory)(?:[^a-z].*)?$/
const STARTUP = new Set(
  `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc
  .cshrc .tcshrc .login .logout .inputrc .xinitrc .xprofile .xsession .xsessionrc .xresources .pam_environment .envrc .direnv
  .gitconfig .npmrc .yarnrc .yarnrc.yml .pypirc .condarc .gemrc .irbrc .pryrc .pdbrc .pythonrc .pythonrc.py .psqlrc
  .sqliterc .gdbinit .lldbinit .tmux.conf .screenrc .wgetrc .curlrc .netrc .ssh .gnupg .tool-versions .mise.toml mise.toml
  .bazelrc .ripgreprc .rvmrc .hgrc .sbtopts .mavenrc .jvmopts sitecustomize.py usercustomize.py .launchd.conf crontab`.split(
    /\s+/,
  ),
)
const SEQUENCES = [
  [/\/\.github\/(?:workflows|actions|dependabot|codeowners)/, 'continuous integration'],
  [
    /\/\.config\/(?:fish|autostart|systemd|git|environment\.d|nvim|plasma-workspace|upstart|pip|pypoetry|zsh)(?:\/|$)/,
    'start-up files',
  ],
  [/\/\.cargo\/config(?:\.toml)?$/, 'start-up files'],
  [
    /\/\.(?:cargo|local|npm-global|pyenv|rbenv|asdf|volta|deno|bun|nvm)\/(?:bin|shims|env)(?:\/|$)/,
    'programs on the PATH',
  ],
  [/\/\.local\/share\/(?:applications|systemd|dbus-1)(?:\/|$)/, 'start-up files'],
  [/\/library\/(?:launchagents|launchdaemons|startupitems)(?:\/|$)/, 'start-up files'],
  [/\/start menu\/programs\/startup(?:\/|$)/, 'start-up files'],
  [/\/pip\.conf$|\/pip\.ini$/, 'start-up files'],
  [/\.(?:pth|code-workspace|sublime-project)$/, 'start-up files'],
  [/^\/(?:etc|usr|bin|sbin|lib\w*|boot|system|library|private\/etc|windows|sys|proc)(?:\/|$)/, 'the system'],
  [/^\/var\/(?:spool\/(?:cron|at)|lib|run)(?:\/|$)/, 'the system'],
] as const

/**
 * Why writing to a path would change what runs later by itself, or what an agent may do; `null` otherwise. Compared as
 * the most forgiving file system would: case, invisible characters, trailing dots and NTFS streams make no difference,
 * and the file need not exist.
 */
export function protectedReason(path: string): string | null {
  const parts = path.split('/').map(plainName)
  for (const part of parts) {
    if (REPOSITORY.has(part)) return 'it belongs to the repository itself'
    if (HOOKS.has(part)) return 'it is a hook that runs automatically'
    if (CI.has(part)) return 'it configures continuous integration'
    if (EDITOR.has(part)) return 'it configures an editor, which may run what it says'
    if (configuresAgent(part)) return 'it instructs or configures an agent'
    if (STARTUP.has(part)) return 'programs read it when they start'
  }
  const joined = parts.join('/')
  const rooted = joined.startsWith('/') ? joined : `/${joined}`
  const found = SEQUENCES.find(([pattern]) => pattern.test(rooted))
  return found ? `it belongs to ${found[1]}` : null
}

/** Of a single name, in lower case. */
export const configuresAgent = (name: string): boolean => AGENT.has(name) || AGENT_PREFIX.test(name)

const ORDINARY_HIDDEN =
  /^\.(?:gitignore|gitattributes|gitkeep|keep|editorconfig|dockerignore|npmignore|prettierignore|eslintignore|prettierrc|stylelintrc|nvmrc|node-version|python-version|ruby-version|browserslistrc|env\.(?:example|sample|template)|cache|tmp|next|nuxt|turbo|storybook|changeset)(?:\..*)?$/

/** A hidden name that is not one of the everyday ones: new tools keep their configuration in such files. */
export function isHiddenConfig(path: string, folder: string): boolean {
  const relative = path.startsWith(folder) ? path.slice(folder.length) : path
  return relative.split('/').some((part) => /^\.[^.]/.test(part) && !ORDINARY_HIDDEN.test(plainName(part)))
}

function plainName(part: string): string {
  const bare = withoutInvisible(part).normalize('NFKC').toLowerCase()
  const stream = bare.indexOf(':')
  const name = (stream > 0 ? bare.slice(0, stream) : bare).replace(/[. ]+$/, '')
  return name === '' ? part : name
}

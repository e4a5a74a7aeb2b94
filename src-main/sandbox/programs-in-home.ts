import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What programs keep in a home folder and cannot do without: toolchains, their packages, and what shells and git read when
 * they start. Everything else there is the user's own. Secrets in these are hidden one by one.
 */
const NEEDED: readonly [folder: string, names: RegExp][] = [
  [
    '',
    new RegExp(
      `^(?:${[
        // Shells and terminals
        '\\.bash.*|\\.z(?:sh|login|logout|profile|env|init|plug).*|\\.profile|\\.login|\\.inputrc|\\.oh-my-.*|\\.antigen.*|\\.prezto',
        '\\.p10k.*|\\.fzf.*|\\.dir_?colors|\\.terminfo|\\.git(?:config|ignore.*|attributes|template.*|-templates?)',
        // Languages, their versions and their packages
        '\\.(?:nvm|fnm|volta|nodenv|n|npm-global|npm-packages|npmrc|node-gyp|yarn.*|pnpm.*|bun|deno)',
        '\\.(?:pyenv|python.*|virtualenvs?|venvs?|poetry|pip|conda.*|mamba.*|micromamba|rye|uv)',
        '\\.(?:rbenv|rvm|ruby.*|gem.*|bundle|cargo|rustup|goenv|gvm|jenv|sdkman|jabba|m2|gradle|sbt|ivy2|coursier|lein|clojure|kotlin.*)',
        '\\.(?:ghcup|cabal|stack|opam|elan|juliaup|julia|Rprofile|perlbrew|cpan.*|plenv|phpenv|phpbrew|composer|dotnet|nuget)',
        '\\.(?:pub-cache|flutter.*|dart.*|swiftpm|swiftly|luarocks|luaenv|nimble|choosenim|zvm|asdf.*|mise.*|rtx|tool-versions|proto|nix-.*)',
        // Settings of programs that search and format
        '\\.(?:ripgreprc|fdignore|ignore|ackrc|agignore|ctags.*|editorconfig|prettierrc.*|eslintrc.*|pylintrc|flake8|clang-format|rustfmt\\.toml)',
        'go|bin|miniconda\\d?|anaconda\\d?|miniforge\\d?|mambaforge|perl5|R',
      ].join('|')})$`,
    ),
  ],
  [
    '.config',
    /^(?:git|pip|pypoetry|uv|yarn|pnpm|npm|fish|zsh|bash|mise|rtx|asdf|starship.*|fd|ripgrep|bat|ruff|black|flake8|pycodestyle|pylintrc|mypy|go|composer|matplotlib|user-dirs.*|fontconfig|nix|nixpkgs|direnv)$/,
  ],
  ['.local', /^(?:bin|lib\w*|opt|pipx)$/],
  [
    '.local/share',
    /^(?:mise|rtx|fnm|pnpm|uv|pipx|virtualenvs|pypoetry|man|nvm|zinit|zsh|fish|bash-completion|go|rustup|cargo|gem|asdf|bob|fonts|ghcup|coursier|sdkman|swiftly|zvm)$/,
  ],
  [
    '.cache',
    /^(?:ms-playwright.*|puppeteer|Cypress|go-build|electron.*|node|node-gyp|deno|uv|pip|pypoetry|pre-commit|zig|coursier|composer|yarn|pnpm|fontconfig|starship|oh-my.*|p10k.*|gitstatus|bun|ccache|sccache)$/,
  ],
]

/** Those of them that are there. */
export const programsInHome = (home: string): string[] =>
  NEEDED.flatMap(([folder, names]) =>
    namesIn(join(home, folder))
      .filter((name) => names.test(name))
      .map((name) => join(home, folder, name)),
  )

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // Missing, or unreadable for us and so for a command as well.
  }
}

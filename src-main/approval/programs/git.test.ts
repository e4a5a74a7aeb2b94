import { judges } from './cases'

judges('git', {
  reads: `
git status
git status --short
git status -sb
git log --oneline -5
git log -n 5
git log --oneline --graph --all
git log -p -1
git log --format='%h %s' -3
git log --since=yesterday --author=me
git diff
git diff --stat
git diff main...feature
git diff --cached
git diff -- src/app.ts
git show HEAD --stat
git show HEAD:src/app.ts
git rev-parse HEAD
git rev-parse --abbrev-ref HEAD
git branch
git branch -a
git branch --show-current
git branch --list 'f*'
git tag
git tag -l
git remote -v
git ls-files
git blame src/app.ts
git stash list
git describe --tags
git --no-pager log -3
git --version
`,
  asks: `
git -C evil status
git -C .. status
git --git-dir=evil/.git status
git -c core.pager=x log
git -p log
git --paginate log
git --exec-path=. log
git log --output=X
git diff --output=X
git log --output X
git diff --ext-diff
git diff --textconv
git log --show-signature
git log --format=%G?
git diff --no-index a.txt /etc/passwd
git diff /etc/passwd /etc/group
git diff --no-index a.txt b.txt
git branch new
git branch -D x
git branch -d x
git branch --list --no-list -D x
git branch -m a b
git branch --edit-description
git tag v1
git tag -d v1
git checkout -- .
git stash
git remote add x y
git remote show origin
git remote update
git fetch
git ls-remote
git archive HEAD
git config x y
git config --list
git submodule foreach ls
git show HEAD:.env
git grep foo
git grep -O foo
git reflog expire
git rev-parse --parseopt
git blame --contents /etc/passwd a.txt
git log --no-such
git logs
git shortlog -s /etc/passwd
`,
  danger: `
git submodule foreach 'rm -rf /'
git bisect run sh -c 'rm -rf /'
git push --force
git push -f
git push -f origin main
git push origin main -f
git push -uf origin main
git push --force-with-lease
git push origin +main
git push origin :main
git push --delete origin main
git push --mirror
git -C sub push --force
git config core.hooksPath x
git config core.fsmonitor x
git config --global core.pager x
`,
  ordinary: `
git commit -m "never run sudo rm -rf / again"
git commit -m 'reboot'
git log --grep reboot
git log -S"mkfs"
git checkout -b fix-reboot-loop
git branch -D feature/poweroff
git push
git push origin main
git push -u origin main
git push --tags
git config user.name x
git add .env.example
git add -A
git reset --hard
git clean -fd
`,
})

import { judges } from './cases'

judges('languages', {
  asks: `
perl -e 1
ruby -e 1
cargo build
`,
  danger: `
perl -MFile::Path -e 'rmtree("/")'
perl -e 'system("rm -rf /")'
ruby -e 'FileUtils.rm_rf("/")'
perl -e 'fork while 1'
osascript -e 'tell app "System Events" to shut down'
cargo publish
gem push x.gem
`,
  ordinary: `
cargo build --release
cargo test
go test ./...
`,
})

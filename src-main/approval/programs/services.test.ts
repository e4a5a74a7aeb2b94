import { judges } from './cases'

judges('services', {
  danger: `
security find-generic-password -w
gpg --export-secret-keys
sqlite3 ~/.config/deckhand/deckhand.db 'delete from rules'
`,
  ordinary: `
psql -c 'select 1'
sqlite3 x.db 'drop table x'
`,
})

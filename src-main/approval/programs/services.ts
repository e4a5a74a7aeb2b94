import { onVerb, onWord, printsToken, READS_PASSWORD } from './dangers'
import type { Family } from './facts'

/** Programs of services, stores of passwords, and databases. */
export const SERVICES: Family = {
  gcloud: { danger: printsToken(/^auth (?:application-default )?print-\w+-token|^secrets versions access/) },
  aws: {
    danger: printsToken(
      /^configure (?:get \S*(?:secret|token)|export-credentials)|^sts (?:get-session-token|assume-role)|get-secret-value|get-login-password/,
    ),
  },
  az: { danger: printsToken(/^account get-access-token|^keyvault secret (?:show|download)/) },
  heroku: { danger: printsToken(/^auth:token|^config\b/) },
  vault: { danger: printsToken(/^(?:read|kv get|token create|print token)/) },
  'fly flyctl': { danger: printsToken(/^auth token/) },
  bw: { danger: printsToken(/^(?:get|export|list)\b/) },
  lpass: { danger: printsToken(/^(?:show|export)\b/) },
  'keepassxc-cli': { danger: printsToken(/^(?:show|export|clip)\b/) },
  'ansible-vault': { danger: printsToken(/^(?:view|decrypt|edit)\b/) },
  security: { danger: onVerb(/^(?:find-|dump-|export)/, { word: 'secret', reason: 'reads the keychain' }) },
  gpg: { danger: onWord(/^--export-secret/, { word: 'secret', reason: 'exports a secret key' }) },
  pass: {
    danger: (_args, words) =>
      words.length > 0 && !/^(?:ls|list|version|help)$/.test(words[0] ?? '') ? READS_PASSWORD : null,
  },
  op: { danger: onVerb(/^(?:read|item|document)$/, READS_PASSWORD) },
  'secret-tool': { danger: onVerb(/^(?:lookup|search)$/, READS_PASSWORD) },
  openssl: { versionWords: ['version'] },
  psql: { versionWords: ['--version', '-V'], purpose: 'works with a database' },
  sqlite3: { versionWords: ['--version', '-version'], purpose: 'works with a database' },
  'mysql redis': { purpose: 'works with a database' },
}

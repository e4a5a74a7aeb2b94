import { withoutInvisible } from '../visible'

/** Whole names, in lower case. */
const NAMES = new Set(
  `.env .envrc .netrc _netrc .npmrc .pypirc .pgpass .my.cnf .mylogin.cnf .git-credentials .dockercfg .htpasswd .vault-token
  .terraformrc terraform.tfstate terraform.tfstate.backup kubeconfig .s3cfg .boto .secrets .pulumi-credentials
  key3.db key4.db logins.json cookies.sqlite signons.sqlite formhistory.sqlite cookies.binarycookies
  shadow gshadow shadow- master.passwd sudoers wallet.dat .wallet
  .bash_history .zsh_history .sh_history .ksh_history .history .python_history .node_repl_history .irb_history
  .psql_history .mysql_history .sqlite_history .rediscli_history .dbshell .mongorc.js fish_history .pry_history`.split(
    /\s+/,
  ),
)

const NAME_PATTERNS = [
  /^\.env[._-](?!(?:example|sample|template|dist|defaults?|schema)$)/,
  /^(?!example|sample|template).+\.env$/,
  /^(?:.+[._-])?id_(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk|xmss)(?:\..*)?$/,
  /\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx?|ppk|ovpn|tfvars|agekey|keychain|keychain-db)$/,
  /^(?:.*[._-])?credentials?(?:\.(?:json|ya?ml|toml|ini|xml|csv|txt|env|db|properties|xlsx|bak|old))?$/,
  /^(?:.*[._-])?secrets?\.(?:json|ya?ml|toml|ini|xml|csv|env|db|properties|enc|bak|old)$|^secrets\.txt$/,
  /^(?:service[-_]?account|client_secret|application_default_credentials).*\.json$/,
  /^(?:passwords?|tokens?)\.(?:txt|json|ya?ml|csv|db|toml)$/,
  /^ssh_host_.*_key$/,
  /^(?:login data|cookies|web data)(?:-journal)?$/,
]

const COPY = /(?:~|[._-](?:bak|backup|old|orig|save|swp|swo|copy|\d+))+$/

/** Parts of a path, in lower case, that hold secrets whatever the file is called. */
const FOLDERS = [
  /\/\.(?:ssh|aws|azure|gnupg|password-store|1password|op|mozilla|thunderbird|kube|vault|oci|bluemix|pki|electrum|bitcoin)(?:\/|$)/,
  /\/\.docker\/config\.json$/,
  /\/\.(?:gem|cargo|composer|nuget|m2|gradle)\/(?:credentials|auth|settings(?:-security)?\.xml|gradle\.properties)/,
  /\/\.config\/(?:gh|hub|gcloud|rclone|op|doctl|heroku|configstore|google-chrome|chromium|bravesoftware|microsoft-edge|vivaldi|opera|git\/credentials|anthropic|openai|stripe|containers\/auth\.json)(?:[-/]|$)/,
  /\/\.local\/share\/(?:keyrings|kwalletd|fish\/fish_history|gnome-keyring)/,
  /\/library\/(?:keychains|cookies|safari|mail|messages)(?:\/|$)/,
  /\/application support\/(?:google\/chrome|firefox|bravesoftware|microsoft edge|arc|chromium|com\.apple\.tcc)/,
  /\/\.secrets?(?:\/|$)/,
  /^\/etc\/(?:sudoers\.d|ssl\/private|ssh\/ssh_host|security\/opasswd|letsencrypt|wireguard|ipsec\.secrets|krb5\.keytab)/,
  /^(?:\/var)?\/run\/secrets(?:\/|$)/,
  /^\/proc\/(?:kcore|kmem|kallsyms|[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|auxv|maps|smaps|pagemap|fd|fdinfo|root|cwd|exe|map_files|stack))(?:\/|$)/,
  /^\/dev\/(?:mem|kmem|port|kmsg|fd|input|uinput|hidraw)/,
]

/** Why a path looks as if it held keys, passwords or somebody's history; `null` if it does not. Names decide, not content. */
export function secretReason(path: string): string | null {
  const lower = withoutInvisible(path).toLowerCase()
  const trimmed = lower.replace(/\/+$/, '')
  const name = trimmed.slice(trimmed.lastIndexOf('/') + 1)
  if (name.endsWith('.pub')) return null
  // A copy that an editor or a careful person left is as secret as what it is a copy of.
  const names = [name, name.replace(COPY, '')]
  if (names.some((each) => NAMES.has(each) || NAME_PATTERNS.some((pattern) => pattern.test(each))))
    return `${name} looks like a secret`
  const rooted = trimmed.startsWith('/') ? trimmed : `/${trimmed}`
  return FOLDERS.some((pattern) => pattern.test(rooted)) ? `${path} may hold secrets` : null
}

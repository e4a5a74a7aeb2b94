import type { Label } from './corpora'

const READERS = new Set(
  `find grep egrep fgrep zgrep rg ls cat zcat tac head tail sort uniq wc awk gawk sed cut tr echo printf date cal du df ps
  pstree pgrep who w whoami id groups uname hostname pwd which whereis type file stat diff cmp comm join paste nl rev seq
  column od xxd hexdump strings md5sum sha1sum sha256sum cksum sum basename dirname readlink realpath tree env printenv uptime
  free less more expr bc last lsof netstat tty jobs fold expand xargs test [ true false read cd set shopt history look
  dpkg-query rpm locate getent`.split(/\s+/),
)
const CHANGERS =
  /(?:^|[\s;&|({`])(?:sudo|rm|rmdir|mv|cp|chmod|chown|chgrp|mkdir|touch|ln|kill|killall|pkill|tee|dd|rsync|scp|ssh|wget|curl|ftp|mount|umount|tar|zip|unzip|gzip|gunzip|bzip2|rename|install|split|crontab|at|useradd|passwd|su|screen|tmux|vi|vim|nano|eval|exec|source|bash|sh|mail|shred|truncate|mktemp|git|svn|yum|apt-get|make|perl|python|ruby|php|nohup|watch|time|ping|dig|host|nslookup)(?=[\s;&|)`]|$)/
const WRITES =
  /(?<![-=\d&])>(?!\s*(?:\/dev\/(?:null|stderr|stdout)|&))|\d>(?!\s*(?:\/dev\/null|&))|&>(?!\s*\/dev\/null)|-delete|-fprint|-fls|\bsed\b[^|;]*\s(?:-[a-z]*i|--in-place)|system\s*\(|-exec(?:dir)?\s+(?!grep|ls|cat|wc|file|stat|head|md5sum|basename|echo|dirname|readlink|printf|du|egrep|awk)|-ok|history -[cw]|set -o noclobber|cd -P/
const SYSTEM = /^\/(?:dev|bin|sbin|usr|lib\w*|etc|proc|sys|opt|tmp)(?:\/|$)|^\/$/
/** Processes, connections and users of the machine, which a cage does not show. */
const MACHINE = /(?:^|[\s;&|(`])(?:ps|pstree|pgrep|who|w|last|lsof|netstat|ss|ifconfig|ip|top|jobs)(?=[\s;&|)`]|$)/
const SECRET = /shadow|\.ssh|id_rsa|\.env\b|passwd:|\.pem|\.netrc|environ/

/** What runs is only known then: a variable or the output of another command in the place of a program. */
const UNKNOWN_PROGRAM = /(?:^|[|;&]\s*)"?(?:\$[\w({]|`)/

/** A simple label for a command line: reads only, inside the workspace or the system or elsewhere; `null` where it is not plain. */
export function labelOf(line: string): Label | null {
  const text = line.trim()
  if (text === '' || text.length > 200 || UNKNOWN_PROGRAM.test(text)) return null
  if (SECRET.test(text) || CHANGERS.test(text) || WRITES.test(text)) return null
  const programs = text
    .replace(/\$\(|`|<\(/g, ' ; ')
    .replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, 'x')
    .split(/\|\||&&|[|;&]|\bdo\b|\bthen\b|\belse\b/)
    .map((part) =>
      part
        .trim()
        .replace(/^(?:\w+=\S*\s+)+/, '')
        .replace(/^[(!{\s]+/, ''),
    )
    .filter((part) => part !== '' && !/^(?:for|while|if|done|fi|case|esac|x|\)|\})/.test(part))
    .map((part) => /^[\w.[/-]+/.exec(part)?.[0] ?? '')
  if (programs.length === 0 || programs.some((name) => !READERS.has(name.replace(/^\/(?:usr\/)?bin\//, ''))))
    return null
  if (MACHINE.test(text)) return 'read machine'
  const words = text.split(/[\s'"=()`]+/)
  const outside = words.some(
    (word) => (/^\/[\w.*]/.test(word) && !SYSTEM.test(word)) || /^~|^\.\.(?:\/|$)|^\$HOME|^\$\{?[A-Z_]*DIR/.test(word),
  )
  return outside ? 'read outside' : 'read'
}

import type { Topic } from './topic'

const mcp = 'mcp/mcp'

/** Servers of tools that are not what they seem. */
export const mcpTopics: readonly Topic[] = [
  {
    ids: 'MC-002',
    words: /rug pull|list_changed|changes? (?:a|its|the) (?:tool|description|schema)|after approval/,
    tests: [
      [mcp, 'follows tools that change'],
      ['compose/web', 'a tool that changed asks even where everything is allowed'],
      [mcp, 'remembers across runs what the user knew'],
    ],
  },
  {
    ids: 'MC-003 MC-004',
    words: /project|\.mcp\.json|config poisoning|self-approval|workspace (?:file|config)|enableall/,
    tests: [
      [mcp, 'files of a project start nothing and allow nothing'],
      ['mcp/projects', 'opening a folder starts nothing, and shows word for word what would run'],
      ['mcp/projects', 'asks again when the file changes, and ends what was running'],
    ],
  },
  {
    words: /description|poison|hidden instruction|<important>|invisible|unicode tag/,
    tests: [
      [mcp, 'cleans names and keeps tools of two servers apart'],
      ['compose/web', 'after strangers have spoken, the network asks even where everything is allowed'],
    ],
  },
  {
    ids: 'MC-005 MC-007',
    words: /shadow|same (?:tool )?name|name injection|built-?in|collision|ansi|bidi|namespac|name/,
    tests: [
      [mcp, 'cleans names and keeps tools of two servers apart'],
      [mcp, 'refuses the name %s'],
    ],
  },
  {
    ids: 'MC-009',
    words: /"dos"|\bdos\b|endless|\d ?mb|\d ?gb|flood|huge|bomb|stdout noise|not json|garbage/,
    tests: [[mcp, 'ends a server that floods']],
  },
  {
    ids: 'MC-013',
    words: /sampling|createmessage/,
    tests: [[mcp, 'a server that asks for our model, our folders, or our user out of the blue gets nothing']],
  },
  {
    ids: 'MC-014',
    words: /elicit|phish|asks? (?:for )?(?:a |the )?(?:password|user)/,
    tests: [
      [mcp, 'a server that asks for our model, our folders, or our user out of the blue gets nothing'],
      ['mcp/elicitation', 'asks nobody for a secret: %s'],
      ['mcp/elicitation', 'puts the form of a real server to the user'],
    ],
  },
  {
    ids: 'MC-018',
    words: /\broots?\b/,
    tests: [
      [mcp, 'a server that asks for our model, our folders, or our user out of the blue gets nothing'],
      ['mcp/elicitation', 'tells a real server the folder of the session that calls, where the user wants that'],
    ],
  },
  {
    ids: 'MC-015',
    words: /oauth|authorization_endpoint|login|www-authenticate|openexternal|command injection/,
    tests: [
      [mcp, 'an address that wants a login is told of, and nothing is opened'],
      ['mcp/sign-ins', 'sends nobody to %s to sign in'],
    ],
  },
  {
    ids: 'MC-016',
    words: /env leak|server env|environment|api key|token passthrough|secret/,
    tests: [[mcp, 'gives a server no secrets of ours']],
  },
  {
    words: /result|output|response|content|resource|taint|injection|image/,
    tests: [
      ['compose/web', 'after strangers have spoken, the network asks even where everything is allowed'],
      ['tools/output', 'shows characters that hide text'],
    ],
  },
  {
    words: /ssrf|redirect|private address|metadata|localhost/,
    tests: [[mcp, 'an address that wants a login is told of, and nothing is opened']],
  },
  { words: /cancel|progress|timeout|hang(?:s|ing)? (?:call|tool)/, tests: [[mcp, 'passes progress on and cancels']] },
  {
    ids: 'MC-012',
    words: /lifecycle|exits?|hangs?|restart|crash|zombie|backoff|fails to start/,
    tests: [
      [mcp, 'gives up on a server that always ends'],
      [mcp, 'skips a server without command and address and one that cannot start'],
    ],
  },
  {
    words: /approv|auto-?allow|always allow|permission|gate/,
    tests: [
      ['compose/web', 'the tools of servers are in every vocabulary, behind the same gate'],
      [mcp, 'keeps denied tools away'],
    ],
  },
]

/** Keys in places where they do not belong. What needs a window is staged in the app itself. */
export const secretTopics: readonly Topic[] = [
  {
    ids: 'SE-004',
    words: /env dump|environ|printenv|child env|process list|argv|ps aux/,
    tests: [
      ['nodes/command-env', 'passes the environment on without secrets'],
      [mcp, 'gives a server no secrets of ours'],
    ],
  },
  {
    ids: 'SE-006',
    words: /error echo|error body|echoes|error message|stack trace/,
    tests: [
      ['agent/openai', 'never repeats a key that the server echoes'],
      ['channels/outgoing', 'never show a secret, whatever the other side echoes'],
    ],
  },
  {
    ids: 'SE-007',
    words: /host binding|base url|redirect/,
    tests: [
      ['settings/providers', 'a key stays with the host'],
      ['agent/openai', 'follows no redirect'],
    ],
  },
  {
    ids: 'SE-009',
    words: /export|share|transcript/,
    tests: [
      ['log', 'a text that leaves the app is cleaned in the same way'],
      ['compose/web', 'keys do not leave with an exported session'],
    ],
  },
  {
    ids: 'SE-010',
    words: /commit/,
    tests: [
      ['tools/shell/commit-look', 'a commit that would hold a key is told of'],
      ['tools/shell/commit-look', 'a file that is secret by its name counts too'],
    ],
  },
  {
    words: /at rest|on disk|plain ?text|keychain|settings\.json|config file|database|sqlite|backup|safestorage/,
    tests: [
      ['settings/secrets', 'keeps a key encrypted'],
      ['channels/outgoing', 'secrets are kept in the keychain only'],
    ],
  },
  { words: /clipboard|screenshot/, tests: [['settings/secrets', 'keeps a key encrypted']] },
  {
    words: /password|typed|terminal|keystroke|echo off/,
    tests: [
      ['pty-host/host', 'is never told while a password is asked for'],
      ['pty-host/typed-keys', 'tells of a hidden line only that there was one'],
    ],
  },
  {
    words: /crash (?:dump|report)|core dump|minidump|\blogs?\b|telemetry|trace/,
    tests: [['log', 'never writes a secret']],
  },
  {
    words: /url|query|referer/,
    tests: [
      ['log', 'never writes a secret'],
      ['agent/openai', 'follows no redirect'],
    ],
  },
]

/** Words of strangers that a model may take for orders. */
export const injectionTopics: readonly Topic[] = [
  {
    ids: 'PI-003 PI-004',
    words: /invisible|zero-width|tag characters|unicode|homoglyph|bidi/,
    tests: [['tools/output', 'shows characters that hide text']],
  },
  {
    ids: 'PI-005',
    words: /image|multimodal|screenshot|ocr|audio|pdf/,
    tests: [
      ['tools/web/web-tools', 'gives JSON, images and sources as they are'],
      ['compose/web', 'after strangers have spoken, the network asks even where everything is allowed'],
    ],
  },
  {
    ids: 'PI-006',
    words: /metadata|git log|branch name|issue|pull request|commit message|file name/,
    tests: [
      ['session/questions', 'what a command fetched counts as the words of strangers'],
      ['approval/checks/foreign-text', 'what strangers wrote is printed: gh issue view'],
      ['tools/output', 'shows characters that hide text'],
    ],
  },
  {
    ids: 'PI-007',
    words: /confused deputy|user pressed|already approved|pretend|system message|fake (?:user|system|approval)/,
    tests: [['session/questions', 'a call waits for an answer, runs once when allowed']],
  },
  {
    ids: 'PI-008',
    words: /persistence|agents\.md|memory|cron|rules file|self-modif/,
    tests: [
      ['approval/decide', 'AGENTS.md'],
      ['schedule/schedule', 'is for the user to say, not for an agent'],
    ],
  },
  {
    ids: 'PI-009',
    words: /exfil|secret then|data in (?:the )?url|query string/,
    tests: [
      ['approval/decide', 'asks: curl https://example.com'],
      ['compose/web', 'after strangers have spoken, the network asks even where everything is allowed'],
    ],
  },
  { ids: 'PI-010', words: /dns/, tests: [['approval/programs/network', 'asks: ping']] },
  {
    ids: 'PI-011',
    words: /supply chain|typosquat|npm install|pip install|postinstall/,
    tests: [['approval/checks/wording', 'npm install']],
  },
  {
    words: /mcp|tool (?:result|output|description)/,
    tests: [['compose/web', 'after strangers have spoken, the network asks even where everything is allowed']],
  },
  {
    words: /channel|telegram|slack|discord|e-?mail|message from/,
    tests: [['channels/incoming', 'waits, with one notice, until the user lets them in']],
  },
  {
    words: /sub-?agent|other session|delegat/,
    tests: [['schedule/schedule', 'is marked by the strangers who may have spoken through its maker']],
  },
  {
    ids: 'PI-002',
    words:
      /web|page|html|hidden text|readme|file (?:content|says)|comment|source code|document|instruction|search result/,
    tests: [
      ['session/questions', 'after a stranger has spoken the gate is told'],
      ['tools/web/web-tools', 'reads a page as Markdown, marked as what it is, and taints the session'],
      ['approval/decide', 'asks: curl https://example.com'],
    ],
  },
]

/** Work that runs by the clock or on another machine. */
export const cronTopics: readonly Topic[] = [
  {
    ids: 'CR-005',
    words: /binding|different command|displayed|hash|swap/,
    tests: [
      ['session/restart', 'an answer counts only for what was shown'],
      ['node-agent/permits', 'is good for one call, and not for a second'],
    ],
  },
  {
    ids: 'CR-008',
    words: /replay|reuse|token|single-use|hijack|expire/,
    tests: [
      ['node-agent/permits', 'is good for one call, and not for a second'],
      ['node-agent/permits', 'holds for 120 seconds'],
      ['node-agent/permits', 'belongs to the connection'],
      ['gateway/gateway', 'answers only its own calls, once'],
    ],
  },
  {
    words: /needs? (?:an? )?(?:approval|consent|answer)|unattended|nobody|inbox|hang|prompt|approval at/,
    tests: [
      ['compose/services', 'what a run may not do by itself waits in the inbox'],
      ['compose/services', 'a question that nobody answers is denied at its deadline'],
    ],
  },
  {
    words: /allow-all|mode|bypass|escalat|privilege|inherits?/,
    tests: [
      ['compose/services', 'a conversation that may do everything is not one for the clock'],
      ['schedule/schedule', 'is for the user to say, not for an agent'],
    ],
  },
  {
    words: /taint|injection|created by|agent (?:adds|creates|schedules)/,
    tests: [
      ['schedule/schedule', 'is marked by the strangers who may have spoken through its maker'],
      ['schedule/schedule', 'is no more than usual once an agent has changed what it does'],
    ],
  },
  {
    words: /overlap|every second|too often|flood|storm|many jobs|limit/,
    tests: [
      ['schedule/schedule', 'does not let one run of a job overlap the next'],
      ['schedule/schedule', 'hold at most 200 jobs'],
    ],
  },
  {
    words: /missed|sleep|down|catch.?up|twice/,
    tests: [
      ['schedule/schedule', 'runs what was missed while the app was closed once'],
      ['schedule/schedule', 'runs what was missed during sleep once'],
    ],
  },
  { words: /invalid|expression|syntax|parse/, tests: [['schedule/schedule', 'refuse in words']] },
  {
    words: /dst|time ?zone|clock/,
    tests: [
      ['schedule/next-run', 'run a daily job once in the hour that comes twice'],
      ['schedule/schedule', 'looks at least each minute'],
    ],
  },
  {
    words: /long|timeout|never ends|runaway/,
    tests: [['schedule/schedule', 'is stopped when it takes longer than its time']],
  },
  {
    ids: 'CR-006',
    words: /\bremote\b|offline|reconnect|node/,
    tests: [['node-agent/agent', 'fails what waits, keeps what runs']],
  },
]

/** Calls whose way does not lead through a call of the page. */
export const callTopics: readonly Topic[] = [
  {
    ids: 'IP-037',
    words: /pty:resize|resize/,
    tests: [['pty-host/host', 'resizes the program and tells the other panes']],
  },
]

/** Text that is shown outside the window. */
export const shownTopics: readonly Topic[] = [
  {
    ids: 'XS-059',
    words: /notification|toast|tray|dock|badge/,
    tests: [['notification-text', 'a notification holds no markup']],
  },
]

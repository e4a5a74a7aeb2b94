import type { Topic } from './topic'

const gateway = 'gateway/gateway'

/** Nodes and strangers at the WebSocket door. */
export const gatewayTopics: readonly Topic[] = [
  {
    ids: 'WS-007 WS-008 WS-009',
    words: /hijack|local web app|sandboxed iframe|cross-site|extension|web page|\borigin\b(?!.*missing)/,
    tests: [[gateway, 'refuses a web page of origin %s although it has the token']],
  },
  { ids: 'WS-013 WS-014', words: /rebinding|host header|rebound/, tests: [[gateway, 'refuses the rebound name']] },
  {
    ids: 'WS-015',
    words: /spoofed local client|forwarded|x-real-ip|trusted proxy/,
    tests: [[gateway, 'slows down whoever guesses, from this machine too']],
  },
  { ids: 'WS-017', words: /revoked|expired token|rotated/, tests: [[gateway, 'is gone for good when it is revoked']] },
  {
    ids: 'WS-046',
    words: /deep link|gatewayurl|query string|token in (?:the )?(?:url|query|address|path)/,
    tests: [[gateway, 'takes no token from the address']],
  },
  {
    ids: 'WS-018',
    words: /brute|guess|rate.?limit.*token|timing/,
    tests: [
      [gateway, 'refuses a wrong token, a part of the right one'],
      [gateway, 'slows down whoever guesses'],
    ],
  },
  {
    ids: 'WS-001 WS-004 WS-012 WS-016',
    words: /token|unauthori[sz]ed|credential|missing origin|password/,
    tests: [
      [gateway, 'refuses %s before there is a socket'],
      [gateway, 'refuses a wrong token'],
    ],
  },
  {
    ids: 'WS-020',
    words: /\bversion\b|protocol (?:mismatch|downgrade)|426/,
    tests: [[gateway, 'asks for the right version']],
  },
  {
    ids: 'WS-022',
    words: /info leak|health|banner|directory listing|\bget \/|http method|options request/,
    tests: [[gateway, 'shows nothing to whoever looks around']],
  },
  {
    words: /not http|garbage|tls on|slowloris|half a request|smuggling|malformed header/,
    tests: [[gateway, 'survives what is not HTTP at all']],
  },
  {
    ids: 'WS-031',
    words: /compression|deflate|inflate/,
    tests: [[gateway, 'gets no compressed frames past the limit']],
  },
  {
    ids: 'WS-034',
    words: /replay in session|same (?:request )?id twice|duplicate id/,
    tests: [[gateway, 'cannot use a request id twice']],
  },
  { ids: 'WS-035', words: /replay/, tests: [[gateway, 'is needed from its first use on']] },
  {
    ids: 'WS-038',
    words: /exhaustion|auth(?:entication)? deadline|without auth|never (?:authenticates|greets)|handshake timeout/,
    tests: [
      [gateway, 'lets only so many strangers wait'],
      [gateway, 'has to come in time'],
    ],
  },
  {
    ids: 'WS-039',
    words: /dead peer|half-open|heartbeat|silent peer/,
    tests: [[gateway, 'notices a peer that is there but says nothing']],
  },
  {
    ids: 'WS-040',
    words: /duplicate node|same id|split brain|fenc/,
    tests: [[gateway, 'gives way to a newer connection']],
  },
  {
    ids: 'WS-042',
    words: /late result|after timeout/,
    tests: [[gateway, 'fails its calls at once when it is lost, and answers late ones to nobody']],
  },
  {
    words: /another node|someone else|result spoof|unsolicited|never asked|cross-node|wrong call/,
    tests: [[gateway, 'answers only its own calls, once, and not those it was never asked']],
  },
  {
    ids: 'WS-043',
    words: /capability|escalation|more tools|new tool/,
    tests: [[gateway, 'keeps what it newly claims']],
  },
  {
    words: /node name|reserved name|impersonat|name collision|bad id|node id|greeting|before connect|first frame/,
    tests: [
      [gateway, 'gives no node the id %s'],
      [gateway, 'hears nothing before it, and no second one after it'],
    ],
  },
  {
    words: /traversal|transfer|upload path|file path|symlink/,
    tests: [
      ['gateway/transfer', 'lets no link lead out of the agent’s own files'],
      ['gateway/transfer', 'takes no more than was announced'],
    ],
  },
  {
    words: /ansi|escape sequence|terminal bytes|draws/,
    tests: [[gateway, 'cannot make the window draw what is no drawing']],
  },
  {
    ids: 'WS-036',
    words: /prototype|__proto__|constructor|unknown (?:method|type|frame)|no such method/,
    tests: [
      [gateway, 'gets 404 for the method %s'],
      [gateway, 'may send a frame of an unknown type'],
    ],
  },
  {
    words: /binary/,
    tests: [
      [gateway, 'sends binary frames of unknown numbers to nobody'],
      ['gateway/raw-frames', 'outlives %s'],
    ],
  },
  {
    words: /utf-?8|fragment|continuation|nest|\bdeep\b|ping|pong|mask|reserved bit|rsv|control frame|close code/,
    tests: [['gateway/raw-frames', 'outlives %s']],
  },
  {
    ids: 'WS-044',
    words:
      /\bflood\b|backpressure|100 mb|huge frame|too (?:big|large)|max ?payload|oversize|\d+ ?(?:mb|mib|gb)|frames\/s|per second/,
    tests: [[gateway, 'is cut off when it floods, and when a frame is too big']],
  },
  {
    ids: 'WS-023 WS-024 WS-025',
    words: /json|\barray\b|malformed|empty frame|wrong type|schema|\bnull\b|number/,
    tests: [
      [gateway, 'is told to go after the frame %s'],
      [gateway, 'may send a frame of an unknown type'],
    ],
  },
]

/** Advice by ssh's message, since its exit code is the same for every failure. */
const advice: readonly [RegExp, string][] = [
  [/could not resolve hostname/i, 'Check the name, ~/.ssh/config and the network.'],
  [
    /permission denied/i,
    'The host refused the key or the password: check the user, and that the key is allowed there.',
  ],
  [
    /identification has changed/i,
    'The host has another key than before. If that is right, remove the old one with ssh-keygen -R.',
  ],
  [
    /host key verification failed/i,
    'The key of the host is not known: connect again and compare it when you are asked.',
  ],
  [/connection refused/i, 'The machine is there, but nothing listens for ssh: check the port and that sshd runs.'],
  [
    /timed out|no route to host|network is unreachable/i,
    'Nothing answers there: check that the machine is on and the network reaches it.',
  ],
]

/** Why ssh could not connect, and what can be done. */
export function sshTrouble(label: string, said: string): string {
  const lines = said.split('\n').map((line) => line.trim())
  // The banner around a changed key is less useful than its last line.
  const words = lines
    .filter((line) => line !== '' && !line.startsWith('@'))
    .slice(-2)
    .join(' ')
  const [, hint] = advice.find(([pattern]) => pattern.test(said)) ?? []
  return [`${label}: ${words.replace(/\.$/, '')}`, ...(hint === undefined ? [] : [hint])].join(' — ')
}

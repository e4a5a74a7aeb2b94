/** `example.com` is that host alone; `*.example.com` is everything below it. */
export function isAllowedHost(host: string, hosts: readonly string[]): boolean {
  const wanted = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
  return hosts.some((entry) => {
    const allowed = entry.trim().toLowerCase()
    return allowed.startsWith('*.') ? wanted.endsWith(allowed.slice(1)) : wanted === allowed
  })
}

/** Whether a host is this machine itself. IPv6 may stand in brackets, as it does in the host of an address. */
export const isLoopback = (host: string): boolean => /^(?:localhost|::1|\[::1\]|127(?:\.\d{1,3}){3})$/i.test(host)

/** True for names and addresses of this machine itself, as they stand in a URL or in a `host`. */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '[::1]', '::1'].includes(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname);
}

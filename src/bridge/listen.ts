import { OperatorFault } from '../model/operator-fault.ts';

/** An address that cannot be had is the operator's commonest fault at start, so it is told in words. */
export async function listenOn<T>(
  { setting, host, port }: { setting: '' | 'admin_'; host: string; port: number },
  listen: () => Promise<T>,
): Promise<T> {
  try {
    return await listen();
  } catch (fault) {
    const reason = listenFault((fault as NodeJS.ErrnoException).code, {
      port: `Port ${port} (server.${setting}port)`,
      host: `"${host}" (server.${setting}host)`,
    });
    throw reason === undefined ? fault : new OperatorFault(reason, { cause: fault });
  }
}

function listenFault(
  code: string | undefined,
  { port, host }: { port: string; host: string },
): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `${port} is already in use. Is another dealer-bridge running? Stop it or choose another port.`;
    case 'EACCES':
      return `${port} may not be opened by this account. Choose one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is no address of this machine. Write 127.0.0.1 for this machine alone, 0.0.0.0 for all its networks.`;
    default:
      return undefined;
  }
}

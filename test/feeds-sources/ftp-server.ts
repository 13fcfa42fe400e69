import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import tls, { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from './loopback-certificate.ts';
import { PASSWORD, sizeOf, USER, type RemoteContent, type RemoteLot } from './remote-lot.ts';

export interface FtpOptions {
  tls: 'explicit' | 'implicit' | 'none';
  /** A server of before 2007: no MLSD, listings as `ls -l` prints them. */
  isOld?: boolean;
}

const SECURE = { key: LOOPBACK_KEY, cert: LOOPBACK_CERTIFICATE };

/** As much of an FTP server (RFC 959, 2428, 3659, 4217) as a client needs that reads one folder. */
export async function startFtp(lot: RemoteLot, options: FtpOptions) {
  const sockets = new Set<Socket>();
  const onConnection = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    new FtpSession(lot, options).begin(socket, true);
  };
  const server =
    options.tls === 'implicit' ? tls.createServer(SECURE, onConnection) : createServer(onConnection);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { port: (server.address() as AddressInfo).port };
}

class FtpSession {
  readonly #lot: RemoteLot;
  readonly #options: FtpOptions;
  #control: Socket | undefined;
  #data: Promise<Socket> | undefined;
  #user = '';
  #isIn = false;

  constructor(lot: RemoteLot, options: FtpOptions) {
    this.#lot = lot;
    this.#options = options;
  }

  begin(control: Socket, isNew: boolean): void {
    this.#control = control;
    if (isNew) this.#say('220 at your service');
    const lines = createInterface({ input: control });
    lines.on('error', () => undefined);
    lines.on('line', (line) => {
      const [, command = '', argument = ''] = /^(\S+) ?(.*)$/.exec(line) ?? [];
      if (command.toUpperCase() === 'AUTH' && this.#options.tls === 'explicit') {
        lines.close();
        this.#say('234 go on');
        const secure = new TLSSocket(control, { isServer: true, ...SECURE });
        secure.on('error', () => undefined);
        this.begin(secure, false);
        return;
      }
      void this.#do(command.toUpperCase(), argument);
    });
  }

  #say(line: string): void {
    this.#control?.write(`${line}\r\n`);
  }

  async #do(command: string, argument: string): Promise<void> {
    if (command === 'USER') {
      this.#user = argument;
      this.#say('331 password');
    } else if (command === 'PASS') {
      this.#isIn = this.#user === USER && argument === PASSWORD;
      this.#say(this.#isIn ? '230 in' : '530 not in');
    } else if (command === 'FEAT') {
      this.#say(
        `211-Features\r\n MDTM\r\n${this.#options.isOld === true ? '' : ' MLST type*;size*;modify*;\r\n'}211 End`,
      );
    } else if (['TYPE', 'STRU', 'OPTS', 'PBSZ', 'PROT'].includes(command)) this.#say('200 ok');
    else if (!this.#isIn) this.#say('530 not in');
    else await this.#read(command, argument);
  }

  async #read(command: string, argument: string): Promise<void> {
    const content = this.#lot.files.get(argument);
    switch (command) {
      case 'CWD': {
        this.#say(argument === '/outgoing' ? '250 ok' : '550 no such folder');
        return;
      }
      case 'EPSV': {
        this.#say(`229 Entering (|||${await this.#listen()}|)`);
        return;
      }
      case 'MDTM': {
        this.#say(content === undefined ? '550 no such file' : `213 ${stampOf(content)}`);
        return;
      }
      case 'MLSD': {
        if (this.#options.isOld !== true) return this.#list(machineLine);
        this.#say('500 what?');
        return;
      }
      case 'LIST':
        return this.#list(peopleLine);
      case 'RETR':
        return this.#send(argument);
      default: {
        this.#say('502 not here');
        return;
      }
    }
  }

  async #listen(): Promise<number> {
    const passive = createServer();
    this.#data = once(passive, 'connection').then(([socket]) => {
      passive.close();
      const isSecure = this.#options.tls !== 'none';
      return isSecure ? new TLSSocket(socket as Socket, { isServer: true, ...SECURE }) : (socket as Socket);
    });
    passive.listen(0, '127.0.0.1');
    await once(passive, 'listening');
    return (passive.address() as AddressInfo).port;
  }

  async #list(lineOf: (name: string, content: RemoteContent) => string): Promise<void> {
    const lines = [...this.#lot.files].map(([name, content]) => lineOf(name, content));
    await this.#transfer(`${lines.join('\r\n')}\r\n`, false);
  }

  async #send(name: string): Promise<void> {
    this.#lot.onRead?.(name);
    const content = this.#lot.files.get(name);
    if (content === undefined) {
      this.#say('550 no such file');
      return;
    }
    this.#lot.reads.push(name);
    await this.#transfer(content.text, content.breaksOff === true);
  }

  async #transfer(text: string, breaksOff: boolean): Promise<void> {
    const data = await this.#data;
    data?.on('error', () => undefined);
    this.#say('150 here it comes');
    if (breaksOff) {
      data?.write(text.slice(0, text.length / 2), () => {
        data.destroy();
        this.#control?.destroy();
      });
      return;
    }
    data?.end(text, () => this.#say('226 done'));
  }
}

function stampOf({ changedAt }: RemoteContent): string {
  return new Date(changedAt * 1000).toISOString().slice(0, 19).replace(/[-:T]/g, '');
}

function machineLine(name: string, content: RemoteContent): string {
  const type = content.isFolder === true ? 'dir' : 'file';
  return `type=${type};size=${sizeOf(content)};modify=${stampOf(content)}; ${name}`;
}

function peopleLine(name: string, content: RemoteContent): string {
  const rights = content.isFolder === true ? 'drwxr-xr-x' : '-rw-r--r--';
  return `${rights} 1 ftp ftp ${String(sizeOf(content)).padStart(8)} Apr 30 10:15 ${name}`;
}

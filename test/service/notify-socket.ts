import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What systemd listens with: a Unix datagram socket. Node has none, so a line of Python says what came. */
const LISTEN = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('ready', flush=True)
while True:
    print(s.recv(65536).decode().replace('\\n', ' '), flush=True)
`;

export const canListen =
  spawnSync('python3', ['--version']).status === 0 && spawnSync('systemd-notify', ['--version']).status === 0;
if (!canListen) {
  process.stderr.write('What systemd is told is not tested: python3 or systemd-notify is not installed.\n');
}

export interface NotifySocket {
  path: string;
  /** Each message, its lines parted by blanks; those that only ask whether one has been read are left out. */
  messages: string[];
  close(): void;
}

export async function openNotifySocket(folder: string): Promise<NotifySocket> {
  const path = join(folder, 'notify');
  const child = spawn('python3', ['-c', LISTEN, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const messages: string[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    messages.push(...lines.filter((line) => line !== 'BARRIER=1').map((line) => line.trim()));
  });
  while (messages.length === 0) await once(child.stdout, 'data');
  messages.shift();
  return { path, messages, close: () => child.kill('SIGKILL') };
}

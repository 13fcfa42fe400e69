import type { Command } from 'commander';
import { writeNewKey } from '../runtime/backup/backup-key.ts';

export function addBackupNewKeyCommand(backup: Command): void {
  backup
    .command('new-key')
    .summary('make a key file for encrypted backups')
    .description(
      'Writes a new key file for backup.key_file: 32 random bytes as 64 hex digits. A file that is there is never ' +
        'overwritten.',
    )
    .argument('<file>', 'where it is to be, such as /etc/dealer-bridge/backup.key')
    .action(async (file: string) => {
      await writeNewKey(file);
      console.log(`The key is in ${file}. Set backup.key_file to it.`);
      console.log('Keep a copy of it away from this machine, printed or in a safe of passwords:');
      console.log('without the key no backup can be opened, by nobody.');
    });
}

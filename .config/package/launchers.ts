import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Platform } from './project.ts';

/** Needs no other program, so that it runs without a PATH; only a link to it is looked up with readlink. */
const SHELL = `#!/bin/sh
# dealer-bridge with the Node that came along.
self=$0
if [ -h "$self" ]; then self=$(readlink -f "$self"); fi
folder=\${self%/*}
if [ "$folder" = "$self" ]; then folder=.; fi
exec "$folder/node/node" "$folder/bin/dealer-bridge.mjs" "$@"
`;

const BATCH = `@echo off
rem dealer-bridge with the Node that came along.
"%~dp0node\\node.exe" "%~dp0bin\\dealer-bridge.mjs" %*
exit /b %ERRORLEVEL%
`;

export async function addLauncher(platform: Platform, folder: string): Promise<void> {
  if (platform === 'win32-x64') {
    await writeFile(join(folder, 'dealer-bridge.cmd'), BATCH.replaceAll('\n', '\r\n'));
  } else {
    await writeFile(join(folder, 'dealer-bridge'), SHELL, { mode: 0o755 });
  }
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Platform } from './project.ts';

/**
 * The launchers stay as they are when versions come and go: all that they know is the file `current`, which holds the
 * name of a folder in `versions`. Services and scripts name the launcher, never a version.
 */

/** Needs no other program, so that it runs without a PATH; only a link to it is looked up with readlink. */
const SHELL = `#!/bin/sh
# dealer-bridge: the version that is named in "current", with the Node that came along.
self=$0
if [ -h "$self" ]; then self=$(readlink -f "$self"); fi
folder=\${self%/*}
if [ "$folder" = "$self" ]; then folder=.; fi
version=
if [ -f "$folder/current" ]; then read -r version <"$folder/current" || :; fi
program=$folder/versions/$version
if [ -z "$version" ] || [ ! -x "$program/node/node" ]; then
  echo "dealer-bridge: $folder/current must name a folder of $folder/versions, and names \\"$version\\"." >&2
  exit 3
fi
exec "$program/node/node" "$program/bin/dealer-bridge.mjs" "$@"
`;

/**
 * The goto to nowhere ends the batch file before the program runs, in the same line that has been read already: else cmd
 * would ask "Terminate batch job (Y/N)?" after Ctrl+C, which is also how a service is stopped. The program's exit code is
 * then cmd's own. FOR reads lines of either ending. No block in brackets: a path with a bracket, as in "Program Files (x86)", would end it. */
const BATCH = `@echo off
rem dealer-bridge: the version that is named in "current", with the Node that came along.
setlocal disabledelayedexpansion
set "version="
if exist "%~dp0current" for /f "usebackq delims=" %%v in ("%~dp0current") do set "version=%%v"
set "program=%~dp0versions\\%version%"
if not defined version goto missing
if not exist "%program%\\node\\node.exe" goto missing
endlocal & goto #_undefined_# 2>nul || title dealer-bridge & "%program%\\node\\node.exe" "%program%\\bin\\dealer-bridge.mjs" %*
:missing
echo dealer-bridge: "%~dp0current" must name a folder of "%~dp0versions", and names "%version%". 1>&2
exit /b 3
`;

/** Puts the launcher into the folder of the installation, and `current`; answers their names. */
export async function addLauncher(
  { platform, version }: { platform: Platform; version: string },
  folder: string,
): Promise<string[]> {
  const isWindows = platform === 'win32-x64';
  const launcher = isWindows ? 'dealer-bridge.cmd' : 'dealer-bridge';
  const text = isWindows ? BATCH.replaceAll('\n', '\r\n') : SHELL;
  await writeFile(join(folder, launcher), text, { mode: 0o755 });
  await writeFile(join(folder, 'current'), `${version}\n`);
  return ['current', launcher];
}

#!/usr/bin/env node
// Plain old JavaScript: even a Node that is far too old must get far enough to say so.
import { spawn } from 'child_process';
import { existsSync } from 'fs';
import * as nodeModule from 'module';
import { join } from 'path';
import { fileURLToPath } from 'url';

const WANTED_NODE = '22.18';
const isWindows = process.platform === 'win32';

function canRunTypeScript() {
  const parts = process.versions.node.split('.').map(Number);
  if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 18)) return false;
  return Boolean(process.features.typescript);
}

function findBundledNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = fileURLToPath(new URL('../node_modules/node/bin/' + name, import.meta.url));
  return existsSync(path) && path !== process.execPath ? path : undefined;
}

const STARTED_BY_ITSELF = 'DEALER_BRIDGE_STARTED_BY_ITSELF';

// Runs this same file again with the Node that came along; input, output, signals and exit code pass through. The
// channel between the two tells the other when this one is killed outright.
function runAgainWith(node) {
  const child = spawn(node, process.argv.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: Object.assign({}, process.env, { [STARTED_BY_ITSELF]: '1' }),
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'].concat(isWindows ? [] : ['SIGQUIT']);
  const forward = function (signal) {
    // A terminal sends Ctrl-C to both processes itself; twice would mean "stop at once".
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  signals.forEach(function (signal) {
    process.on(signal, forward);
  });
  child.on('error', function (error) {
    console.error('dealer-bridge: can not run ' + node + ': ' + error.message);
    process.exitCode = 3;
  });
  child.on('exit', function (code, signal) {
    signals.forEach(function (name) {
      process.removeListener(name, forward);
    });
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}

// A service manager or task manager knows only the first process: when that one is gone without a word, the program
// stops as if it had been told to, and does not go on unseen with the ports and the data folder.
function stopWithFirstProcess() {
  const wasStartedByItself = process.env[STARTED_BY_ITSELF] !== undefined && process.channel;
  delete process.env[STARTED_BY_ITSELF];
  if (!wasStartedByItself) return;
  process.on('disconnect', function () {
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(1);
  });
  // The channel alone must not keep a command from ending.
  process.channel.unref();
}

// Node opens its debugger, and with it the whole program, to everybody on this machine when it gets SIGUSR1; SIGUSR2
// would end it in the middle of its work. Neither means anything here. The handler takes Node's own one off.
function ignoreStraySignals() {
  if (isWindows) return;
  ['SIGUSR1', 'SIGUSR2'].forEach(function (signal) {
    process.on(signal, function () {});
  });
}

// Notices about features of Node that are new tell an operator nothing.
function silenceExperimentalWarnings() {
  const emitWarning = process.emitWarning;
  process.emitWarning = function (warning, options) {
    const type = options && typeof options === 'object' ? options.type : options;
    if (type === 'ExperimentalWarning' || (warning && warning.name === 'ExperimentalWarning')) return;
    emitWarning.apply(process, arguments);
  };
}

// Compiling the program takes longer than running it to where it serves, so what was compiled is kept: beside the
// program, or where that may not be written, in the cache folder that a service manager names, or in the data folder.
// Never in a folder that others can write to, since what lies in it is run. Threads find it by the variable.
function keepCompiledCode() {
  if (process.env.NODE_COMPILE_CACHE !== undefined || !nodeModule.enableCompileCache) return;
  const places = [
    fileURLToPath(new URL('../node_modules/.cache/dealer-bridge', import.meta.url)),
    process.env.CACHE_DIRECTORY,
    dataFolder() && join(dataFolder(), 'cache'),
  ];
  for (const place of places) {
    // Neither throws nor complains where it cannot be.
    if (!place || !nodeModule.enableCompileCache(place).directory) continue;
    process.env.NODE_COMPILE_CACHE = place;
    return;
  }
}

function dataFolder() {
  const at = process.argv.findIndex((word) => word === '--data' || word.startsWith('--data='));
  if (at < 0) return undefined;
  return process.argv[at] === '--data' ? process.argv[at + 1] : process.argv[at].slice('--data='.length);
}

const bundledNode = findBundledNode();
ignoreStraySignals();
if (canRunTypeScript()) {
  silenceExperimentalWarnings();
  stopWithFirstProcess();
  keepCompiledCode();
  // A package holds JavaScript, a clone what it is made from.
  const compiled = new URL('../src/main.js', import.meta.url);
  import(existsSync(compiled) ? compiled : new URL('../src/main.ts', import.meta.url));
} else if (bundledNode) {
  runAgainWith(bundledNode);
} else {
  console.error(
    'dealer-bridge needs Node ' +
      WANTED_NODE +
      ' or newer; this is Node ' +
      process.versions.node +
      '.\nRun "npm ci" in the program folder: it brings the right Node along. Or install one from https://nodejs.org.',
  );
  process.exitCode = 3;
}

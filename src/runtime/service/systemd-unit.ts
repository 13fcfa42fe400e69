import { credentialName } from '../../model/credential-name.ts';
import { serviceWords, STOP_SECONDS, type ServiceSettings } from './service-settings.ts';
import { systemdPath, systemdWord } from './systemd-words.ts';

/** Where each service has its own folder by its name; systemd makes it and gives it to the account. */
const STATE_ROOT = '/var/lib/';

/** Units of ours begin with it. */
export const UNIT_MARK = '# Written by "dealer-bridge service install"';

/** In these a service's own view of the machine has nothing, unless a folder is named. */
const HOMES = /^\/(?:home|root|run\/user)(?:\/|$)/;

/**
 * The unit of a bridge, for systemd 247 and newer. What each line is for is told in the unit itself, as that is what an
 * administrator reads. There is no MemoryDenyWriteExecute: the JavaScript engine compiles while it runs.
 *
 * @param user the account, which is also the group
 */
export function systemdUnit(service: ServiceSettings, user: string): string {
  const { name, dealer } = service;
  return `${UNIT_MARK}; written anew by the next one. Changes of your own belong into
# /etc/systemd/system/${name}.service.d/own.conf ("systemctl edit ${name}").

[Unit]
Description=dealer-bridge for ${systemdPath(oneLine(dealer))}
Wants=network-online.target
After=network-online.target time-sync.target
# A fault that does not go away is not tried for ever; "systemctl reset-failed ${name}" begins anew.
StartLimitIntervalSec=1h
StartLimitBurst=40

[Service]
# The colon: no $NAME in these words is anybody's variable.
ExecStart=:${serviceWords(service).map(systemdWord).join(' ')}
WorkingDirectory=${isStateFolder(service) ? `%S/${name}` : systemdPath(service.dataFolder)}
User=${user}
Group=${user}

# It tells when it serves. systemd-notify sends that, a child of the main process: hence all.
Type=notify
NotifyAccess=all
# A backup and a new form of the databases come before that.
TimeoutStartSec=15min
# It tells so only while its event loop turns and both databases answer.
WatchdogSec=60
TimeoutStopSec=${STOP_SECONDS}
KillMode=mixed
Restart=on-failure
RestartSec=15
# A wrong command line does not get better.
RestartPreventExitStatus=2

# Folders: /etc/${name} for settings, of root; /var/cache/${name} for compiled code${
    isStateFolder(service) ? `; /var/lib/${name} for all that changes` : ''
  }.
ConfigurationDirectory=${name}
CacheDirectory=${name}
CacheDirectoryMode=0700
${isStateFolder(service) ? `StateDirectory=${name}\nStateDirectoryMode=0750\n` : ''}UMask=0077

# Secrets: \${env:NAME} in the settings comes from this file, NAME=value on each line, for root alone (mode 0600).
EnvironmentFile=-/etc/${name}/environment
${secretLines(service)}
# What it may see and do.
${folderLines(service)}${sandbox(service)}
[Install]
WantedBy=multi-user.target
`;
}

function isStateFolder({ name, dataFolder }: ServiceSettings): boolean {
  return dataFolder === `${STATE_ROOT}${name}`;
}

/** systemd reads each file as root and hands it over; the account itself cannot read the file. */
function secretLines({ secretFiles }: ServiceSettings): string {
  if (secretFiles.length === 0) return '';
  const lines = secretFiles.map((file) => `LoadCredential=${credentialName(file)}:${systemdPath(file)}\n`);
  return `# \${file:…} comes as a credential: the files may be of root alone (mode 0600). A new one: install again.\n${lines.join('')}`;
}

/** A folder that is not there must keep no service from starting, hence the dashes. */
function folderLines(service: ServiceSettings): string {
  const writes = isStateFolder(service) ? service.writes : [service.dataFolder, ...service.writes];
  const reads = [service.programFolder, service.configFile, ...service.reads];
  const lines = [
    'ProtectSystem=strict',
    ...writes.map((folder) => `ReadWritePaths=${systemdWord(`-${folder}`)}`),
  ];
  const all = [...writes, ...reads];
  if (all.some((path) => HOMES.test(path))) {
    lines.push('# Of the home folders only what is named here is seen.', 'ProtectHome=tmpfs');
    for (const path of writes.filter((one) => HOMES.test(one))) lines.push(`BindPaths=${bound(path)}`);
    for (const path of reads.filter((one) => HOMES.test(one))) lines.push(`BindReadOnlyPaths=${bound(path)}`);
  } else {
    lines.push('ProtectHome=yes');
  }
  return `${lines.join('\n')}\n`;
}

/** Here a colon would part the two ends of the binding. */
function bound(path: string): string {
  return systemdWord(`-${path.replaceAll(':', '\\:')}`);
}

function sandbox({ needsLowPort }: ServiceSettings): string {
  const capability = needsLowPort ? 'CAP_NET_BIND_SERVICE' : '';
  return `NoNewPrivileges=yes
PrivateMounts=yes
PrivateTmp=yes
PrivateDevices=yes
DevicePolicy=closed
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RemoveIPC=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
KeyringMode=private
# Netlink: to look up names and the machine's own addresses.
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
${needsLowPort ? '# A port below 1024.\n' : ''}CapabilityBoundingSet=${capability}
AmbientCapabilities=${capability}
# A core dump would hold customers and secrets.
LimitCORE=0
LimitNOFILE=65536
`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 100);
}

import type { ServiceSettings } from '../../src/runtime/service/service-settings.ts';

/** As docs/operating.md installs it: the unit in config/service is this one's. */
export const ON_LINUX: ServiceSettings = {
  name: 'dealer-bridge',
  dealer: 'Example Motors',
  program: ['/opt/dealer-bridge/dealer-bridge'],
  programFolder: '/opt/dealer-bridge',
  configFile: '/etc/dealer-bridge/bridge.yaml',
  dataFolder: '/var/lib/dealer-bridge',
  reads: [],
  writes: [],
  secretFiles: ['/etc/dealer-bridge/secrets/smtp-password'],
  needsLowPort: false,
};

/** As docs/windows.md installs it: the XML in config/service is this one's. */
export const ON_WINDOWS: ServiceSettings = {
  name: 'dealer-bridge',
  dealer: 'Example Motors',
  program: ['C:\\Program Files\\dealer-bridge\\dealer-bridge.cmd'],
  programFolder: 'C:\\Program Files\\dealer-bridge',
  configFile: 'C:\\ProgramData\\dealer-bridge\\bridge.yaml',
  dataFolder: 'C:\\ProgramData\\dealer-bridge\\data',
  reads: [],
  writes: [],
  secretFiles: [],
  needsLowPort: false,
};

import { win32 } from 'node:path';
import { serviceWords, STOP_SECONDS, type ServiceSettings } from './service-settings.ts';
import { batchCommandLine } from './windows-words.ts';

/** WinSW reads the XML file that lies beside it under its own name, so each service has a copy of it. */
export function winswFiles({ name, programFolder }: ServiceSettings): { program: string; settings: string } {
  const file = win32.join(programFolder, `${name}-service`);
  return { program: `${file}.exe`, settings: `${file}.xml` };
}

/**
 * The settings for WinSW 2.12. WinSW puts variables in the place of `%NAME%` and knows no way to write a percent sign, so
 * paths with one are refused. Who it runs as, when it starts and what follows a fault is up to sc.exe.
 */
export function winswXml(service: ServiceSettings): string {
  const [executable = '', ...words] = serviceWords(service);
  batchCommandLine([executable]);
  const { name, dealer, dataFolder } = service;
  const line = (tag: string, text: string): string => `  <${tag}>${xmlText(text)}</${tag}>\n`;
  return [
    '<service>\n',
    line('id', name),
    line('name', `dealer-bridge for ${dealer} (${name})`),
    line('description', 'Answers buyers’ agents about the inventory and brings their leads to the CRM.'),
    line('executable', executable),
    line('arguments', batchCommandLine(words)),
    line('workingdirectory', dataFolder),
    line('logpath', win32.join(dataFolder, 'logs', 'service')),
    '  <log mode="roll-by-size">\n    <sizeThreshold>2048</sizeThreshold>\n    <keepFiles>3</keepFiles>\n  </log>\n',
    line('stoptimeout', `${STOP_SECONDS} sec`),
    '</service>\n',
  ].join('');
}

function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

import { SaxesParser } from 'saxes';
import type { Delivery, EmailDelivery, HttpDelivery } from '../crm-adapter.ts';
import { isMailAddress } from '../mail-address.ts';

/** More than any CRM takes for one lead; a lead's own texts come to less than 20 KB. */
const MAX_DELIVERY_BYTES = 2 * 1024 * 1024;
const MAX_TIMEOUT_MS = 600_000;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110: visible characters, blanks and tabs; nothing that could begin a line of its own. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const MESSAGE_ID = /^[^\s<>@\p{Cc}]{1,200}@[^\s<>@\p{Cc}]{1,200}$/u;
const FILE_NAME = /^(?!\.)[^\\/:*?"<>|\p{Cc}]{1,200}$/u;

/** Why the bridge could not, or must not, send this. Empty = it can. */
export function deliveryFaults(delivery: unknown): string[] {
  if (delivery instanceof Promise) return ['build gives a promise; it must answer at once'];
  if (typeof delivery !== 'object' || delivery === null) return ['build gives no delivery'];
  const bytes = Buffer.byteLength(JSON.stringify(delivery));
  if (bytes > MAX_DELIVERY_BYTES)
    return [`the delivery has ${bytes} bytes; ${MAX_DELIVERY_BYTES} is the most`];
  try {
    return faultsByKind(delivery as Delivery);
  } catch {
    return ['the delivery lacks a member of its kind, or one is of another type'];
  }
}

function faultsByKind(delivery: Delivery): string[] {
  switch (delivery.kind) {
    case 'email':
      return mailFaults(delivery);
    case 'http':
      return httpFaults(delivery);
    case 'file':
    case 'sftp':
      return [
        ...(delivery.folder === '' ? ['folder is empty'] : []),
        ...(FILE_NAME.test(delivery.name) ? [] : ['name is no plain file name']),
        ...(delivery.kind === 'sftp' ? timeoutFaults(delivery.server.timeoutMs) : []),
        ...contentFaults(delivery.content, delivery.name),
      ];
    default:
      return ['kind must be email, http, file or sftp'];
  }
}

function mailFaults({
  server,
  from,
  to,
  replyTo,
  subject,
  text,
  attachments,
  ...mail
}: EmailDelivery): string[] {
  const addresses = [from, ...to, ...(replyTo === undefined ? [] : [replyTo])];
  const lines = [
    subject,
    ...addresses.map(({ name }) => name),
    ...attachments.map(({ filename }) => filename),
  ];
  return [
    ...(to.length === 0 ? ['to is empty'] : []),
    ...(addresses.every(({ address }) => isMailAddress(address))
      ? []
      : ['an address is no plain mail address']),
    ...(lines.some((line) => /[\p{Cc}\u2028\u2029]/u.test(line))
      ? ['a subject, name or file name holds a line break or control character']
      : []),
    ...(MESSAGE_ID.test(mail.messageId) ? [] : ['messageId is none: left@right without blanks and brackets']),
    ...(Number.isNaN(Date.parse(mail.date)) ? ['date is no time'] : []),
    ...(text === undefined && attachments.length === 0 ? ['the mail has neither text nor attachment'] : []),
    ...timeoutFaults(server.timeoutMs),
    ...contentFaults(text ?? '', ''),
    ...attachments.flatMap(({ content, contentType }) => contentFaults(content, contentType)),
  ];
}

function httpFaults({ method, url, headers, body, timeoutMs }: HttpDelivery): string[] {
  const scheme = URL.canParse(url) ? new URL(url).protocol : '';
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return [
    ...(['POST', 'PUT'].includes(method) ? [] : ['method must be POST or PUT']),
    ...(scheme === 'https:' || scheme === 'http:' ? [] : ['url is no web address']),
    ...Object.entries(headers)
      .filter(([name, value]) => !HEADER_NAME.test(name) || !HEADER_VALUE.test(value))
      .map(([name]) => `the header ${JSON.stringify(name)} holds characters that no header may hold`),
    ...timeoutFaults(timeoutMs),
    ...contentFaults(body, type),
  ];
}

function timeoutFaults(timeoutMs: number): string[] {
  const isWait = Number.isFinite(timeoutMs) && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS;
  return isWait ? [] : [`timeoutMs must be above 0 and at most ${MAX_TIMEOUT_MS}`];
}

/** What says that it is JSON or XML must be; `type` is a content type or a file name. */
function contentFaults(content: string, type: string): string[] {
  if (typeof content !== 'string') return ['the content is no text'];
  if (!content.isWellFormed()) return ['the content holds half a character (a lone surrogate)'];
  if (/json/i.test(type)) return isJson(content) ? [] : ['the content says that it is JSON and is not'];
  const isXml = /xml/i.test(type) || content.startsWith('<?xml');
  const fault = isXml ? xmlFault(content) : undefined;
  return fault === undefined ? [] : [`the content is no well-formed XML: ${fault}`];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function xmlFault(text: string): string | undefined {
  const parser = new SaxesParser();
  let fault: string | undefined;
  parser.on('error', (error) => (fault ??= error.message));
  parser.write(text).close();
  return fault;
}

/** Texts that decide where the lead goes: nothing of a buyer's may stand in them. */
export function deliveryAddresses(delivery: Delivery): string[] {
  switch (delivery.kind) {
    case 'email':
      return [delivery.server.host, delivery.from, ...delivery.to].map((place) => JSON.stringify(place));
    case 'http':
      return [new URL(delivery.url).host, ...(delivery.token === undefined ? [] : [delivery.token.url])];
    case 'file':
      return [delivery.folder];
    case 'sftp':
      return [delivery.server.host, delivery.folder];
  }
}

/** Texts that people read or that stay in places which keep no secrets. */
export function openTexts(delivery: Delivery): string[] {
  switch (delivery.kind) {
    case 'email': {
      const files = delivery.attachments.flatMap(({ filename, content }) => [filename, content]);
      return [delivery.subject, delivery.text ?? '', delivery.messageId, ...files];
    }
    case 'http':
      return [];
    case 'file':
    case 'sftp':
      return [delivery.name, delivery.content];
  }
}

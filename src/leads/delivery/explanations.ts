import type { AttemptOutcome } from '../../adapters/crm-adapter.ts';

export interface Explanation {
  when: {
    kind?: readonly AttemptOutcome['kind'][];
    stage?: readonly string[];
    /** SMTP reply code or HTTP status. */
    code?: (code: number) => boolean;
    /** Found in what the server or the system said. */
    said?: RegExp;
  };
  /** What it means. */
  means: string;
  /** What the dealer, or their IT, can do. */
  remedy: string;
}

const is =
  (...codes: number[]) =>
  (code: number) =>
    codes.includes(code);
const from = (least: number, most: number) => (code: number) => code >= least && code <= most;

/** Known faults, the exact ones before the general ones: the first that fits is told. */
export const EXPLANATIONS: readonly Explanation[] = [
  // Access tokens
  {
    when: { stage: ['token'], said: /AADSTS7000215|AADSTS7000222|invalid_client/i },
    means: 'The token server does not accept the client secret, or it has run out.',
    remedy:
      'Make a new client secret in the app registration, put its value (not its id) where the settings read it, and start the bridge again.',
  },
  {
    when: { stage: ['token'], said: /AADSTS700016|AADSTS90002|unauthorized_client/i },
    means: 'The token server does not know this application in this directory.',
    remedy:
      'Compare tenant and client_id with the app registration, and ask an administrator to grant its consent.',
  },
  {
    when: { stage: ['token'], said: /invalid_grant/i },
    means:
      'The token server refuses the refresh token or the signed request: withdrawn, expired, for another mailbox, or the clock of this machine is wrong.',
    remedy:
      'Check the clock; make a new refresh token, or see that the service account may act for the mailbox (domain-wide delegation).',
  },
  {
    when: { stage: ['token'], said: /invalid_scope|AADSTS70011|AADSTS1002012/i },
    means: 'The token server does not know what the token is asked for.',
    remedy:
      'Leave scope out, or write it as the provider gives it; for client credentials at Microsoft it ends with /.default.',
  },
  {
    when: { stage: ['token'] },
    means: 'No access token could be had, so nothing was sent.',
    remedy: 'Check the address of the token server, and whether this machine may reach it.',
  },

  // Names, addresses, connections
  {
    when: { said: /ENOTFOUND|EAI_AGAIN|EDNS|getaddrinfo|queryA/i },
    means: 'No machine of that name is known.',
    remedy:
      'Check the spelling of the host in the settings, and whether this machine can resolve names (DNS).',
  },
  {
    when: { said: /ECONNREFUSED/ },
    means: 'The machine is there, but nothing listens on that port, or a firewall turns the connection away.',
    remedy:
      'Check host and port; for mail the usual ports are 587, 465 and, inside the house, 25; for SFTP 22.',
  },
  {
    when: { said: /EHOSTUNREACH|ENETUNREACH/ },
    means: 'There is no way through the network to that machine.',
    remedy: 'Check the network and the firewall of this machine.',
  },
  {
    when: { stage: ['proxy'], said: /answered 407/ },
    means: 'The proxy wants a login, or another one.',
    remedy: 'Set proxy.user and proxy.password.',
  },
  {
    when: { stage: ['proxy'] },
    means: 'The proxy does not let the connection through.',
    remedy: 'Ask whoever runs the proxy to allow this host and port.',
  },

  // TLS
  {
    when: { said: /certificate has expired|CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|not yet valid/i },
    means: 'The certificate of the server has expired or is not valid yet.',
    remedy:
      'Check the clock of this machine. If it is right, whoever runs the server must renew the certificate.',
  },
  {
    when: { said: /self.signed|unable to verify|unable to get (?:local )?issuer/i },
    means: 'Nobody that this machine trusts vouches for the certificate of the server.',
    remedy:
      'For a server in the house put the certificate of its authority into smtp.ca (mail) or tls.ca (HTTP). For a public one somebody in between may be reading along (a virus scanner or a firewall that opens TLS).',
  },
  {
    when: { said: /altnames|does not match certificate|Hostname\/IP/i },
    means: 'The certificate of the server is for another name.',
    remedy: 'Write the host as the certificate names it, not as an IP address or an alias.',
  },
  {
    when: { said: /alert.*certificate|certificate required|unknown ca|bad certificate/i },
    means: 'The server wants to see a certificate of ours and got none, or not the one it expects.',
    remedy: 'Set tls.cert and tls.key to what the CRM has issued for this dealership.',
  },
  {
    when: { said: /wrong version number|packet length too long|unsupported protocol|handshake failure/i },
    means: 'The server does not speak TLS here, or none that is safe enough (1.2 or newer).',
    remedy:
      'For mail: port 587 goes with starttls, port 465 with tls. For an old server in the house ask for an update.',
  },
  {
    when: { kind: ['email'], stage: ['tls'] },
    means: 'The mail server offers no encryption on this port, and leads are not sent without it.',
    remedy: 'Use port 587 with starttls or 465 with tls; security: none is for a relay in the house only.',
  },

  // Mail: login
  {
    when: { kind: ['email'], said: /5\.7\.139/ },
    means: 'Microsoft 365 refuses logins by password (basic authentication) for this tenant or mailbox.',
    remedy:
      'Use smtp.oauth2 with provider microsoft, or a relay that lets this machine send without a login. Until Microsoft ends it for good, an administrator can allow Authenticated SMTP for this one mailbox.',
  },
  {
    when: { kind: ['email'], said: /5\.7\.57\b/ },
    means: 'Microsoft 365 wants a login before it takes mail.',
    remedy: 'Set smtp.user with a password or smtp.oauth2, and security: starttls on port 587.',
  },
  {
    when: { kind: ['email'], said: /5\.7\.9\b|application.specific password/i },
    means: 'Google wants an app password or an access token, not the password of the account.',
    remedy: 'Use smtp.oauth2 with provider google, or make an app password (needs two-step verification).',
  },
  {
    when: { kind: ['email'], stage: ['auth'], code: from(400, 499) },
    means: 'The mail server cannot check the login just now.',
    remedy: 'Nothing; the bridge tries again.',
  },
  {
    when: { kind: ['email'], stage: ['auth'] },
    means: 'The mail server does not accept the login.',
    remedy: 'Check smtp.user and its password or token, and whether the mailbox may send by SMTP.',
  },

  // Mail: sender, recipients, content
  {
    when: {
      kind: ['email'],
      said: /5\.7\.60\b|SendAsDenied|not allowed to send as|sender address rejected: not owned/i,
    },
    means: 'The login may not send in the name of this sender.',
    remedy: 'Use the mailbox of the login as from.address, or give it the right to send as that address.',
  },
  {
    when: {
      kind: ['email'],
      said: /relay(?:ing)? (?:access )?denied|unable to relay|not permitted to relay|5\.7\.54\b/i,
    },
    means:
      'The server takes no mail for other domains from us: we have not logged in, or it does not know this machine.',
    remedy: 'Set smtp.user and a login, or have the address of this machine allowed on the relay.',
  },
  {
    when: {
      kind: ['email'],
      said: /5\.7\.(?:2[0-9])\b|\bSPF\b|sender policy framework|DMARC|DKIM|unauthenticated email/i,
    },
    means: 'The server does not believe that the mail comes from the domain of its sender.',
    remedy:
      'Send through the mail server of that domain, add the sending machine to the SPF record of the domain, or sign with the option dkim.',
  },
  {
    when: { kind: ['email'], said: /spamhaus|block(?:ed|list)|blacklist|reputation|\bPBL\b|\bRBL\b/i },
    means: 'The server does not take mail from the internet address of this machine.',
    remedy: 'Send through the mail server of your provider, not from this machine to the CRM directly.',
  },
  {
    when: { kind: ['email'], code: is(450, 451), said: /gr[ea]ylist/i },
    means: 'The server wants to see the mail a second time before it believes it.',
    remedy: 'Nothing; the bridge tries again, and the second time it passes.',
  },
  {
    when: {
      kind: ['email'],
      stage: ['envelope'],
      said: /5\.1\.[0-9]+|user unknown|no such user|mailbox unavailable|unknown (?:user|recipient)/i,
    },
    means: 'The server knows no mailbox of the name in the settings.',
    remedy: 'Compare the addresses under to (and from.address) letter by letter with those the CRM gave you.',
  },
  {
    when: {
      kind: ['email'],
      said: /5\.2\.[12]\b|5\.3\.1\b|over ?quota|quota exceeded|mailbox\b.{0,20}\bfull/i,
    },
    means: 'The mailbox that gets the leads is full, or out of use.',
    remedy: 'Tell the CRM, or whoever runs the mailbox, to make room in it. The leads wait.',
  },
  {
    when: {
      kind: ['email'],
      said: /\b5\.3\.4\b|message (?:size )?(?:is )?(?:larger|exceeds|too (?:big|large))/i,
    },
    means: 'The mail is larger than the server takes.',
    remedy: 'Ask whoever runs it for a higher limit, or let adf.comments_limit cut long messages.',
  },
  {
    when: { kind: ['email'], code: is(552) },
    means: 'The mailbox of the CRM is full, or the mail is too large for it.',
    remedy: 'Tell the CRM.',
  },
  {
    when: { kind: ['email'], stage: ['data'], code: from(500, 599) },
    means: 'The server read the mail and refused it.',
    remedy:
      'Ask whoever runs it, with its words. Where the ADF is attached, a content filter may refuse it; placement: body attaches nothing.',
  },
  {
    when: { kind: ['email'], code: is(530) },
    means: 'The mail server takes mail only after a login.',
    remedy:
      'Set smtp.user and smtp.password (or smtp.oauth2), and security: starttls on port 587 or tls on port 465.',
  },
  {
    when: { kind: ['email'], code: from(500, 599) },
    means: 'The mail server refused for good.',
    remedy: 'Ask whoever runs it, with its words.',
  },
  {
    when: { kind: ['email'], code: from(400, 499) },
    means: 'The mail server cannot take the mail just now.',
    remedy: 'Nothing; the bridge tries again.',
  },

  // HTTP
  {
    when: { kind: ['http'], code: is(401) },
    means: 'The CRM does not accept the login or token.',
    remedy:
      'Check auth in the settings with what the CRM gave you; a token may have run out or been replaced.',
  },
  {
    when: { kind: ['http'], code: is(403) },
    means:
      'The CRM knows us and forbids it: another store, a right that is missing, or the internet address of this machine is not on its list.',
    remedy: 'Ask the CRM what this login may do, and tell them your address if they keep a list.',
  },
  {
    when: { kind: ['http'], code: is(304) },
    means: 'The CRM answered "not modified", as to somebody who reads a page: it did not take the lead.',
    remedy: 'Check url and method in the settings, and whether a cache stands in front of the CRM.',
  },
  {
    when: { kind: ['http'], code: from(300, 399) },
    means: 'The CRM points to another address; leads are never sent where the settings do not say.',
    remedy:
      'Ask the CRM for the right url. http in place of https, or a slash at the end, is the usual cause.',
  },
  {
    when: { kind: ['http'], code: is(404, 410) },
    means: 'There is nothing at this address.',
    remedy: 'Check url in the settings.',
  },
  {
    when: { kind: ['http'], code: is(405) },
    means: 'The address takes no request of this method.',
    remedy: 'Set method to PUT or POST as the CRM says, and check url.',
  },
  {
    when: { kind: ['http'], code: is(402) },
    means: 'The CRM wants to be paid first: the account of the dealership is closed or has run out.',
    remedy: 'Ask the CRM about the account. The leads wait.',
  },
  {
    when: { kind: ['http'], code: is(415) },
    means: 'The CRM does not take this type of content.',
    remedy: 'Set content_type, such as text/xml or application/xml, or wrap the ADF with json.',
  },
  {
    when: { kind: ['http'], code: is(409) },
    means: 'The CRM says that it has this lead already.',
    remedy: "If it uses 409 for that only, say so with answer.status: { '409': delivered }.",
  },
  {
    when: { kind: ['http'], code: is(429) },
    means: 'The CRM wants fewer requests.',
    remedy: 'Nothing; the bridge waits as long as the CRM says.',
  },
  {
    when: { kind: ['http'], code: from(500, 599) },
    means: 'The CRM has a fault of its own.',
    remedy: 'Nothing at first; the bridge tries again. If it stays, tell the CRM.',
  },
  {
    when: { kind: ['http'], code: from(400, 499) },
    means: 'The CRM refused the lead.',
    remedy: 'Look at what it answered: a member it misses or an id of the store that it does not know.',
  },
  {
    when: { kind: ['http'], code: from(200, 299) },
    means: 'The CRM answered, but not in the way that answer.rules calls a success.',
    remedy: 'Compare its answer with answer.rules. If the CRM has the lead all the same, the rule is wrong.',
  },

  // SFTP and files
  {
    when: { kind: ['sftp'], said: /shows the key/ },
    means: 'The server shows another key than the settings name: a new server, or somebody in between.',
    remedy: 'Ask the CRM whether its key has changed before you write the new one into host_key.',
  },
  {
    when: { kind: ['sftp'], stage: ['auth'] },
    means: 'The server does not accept the login.',
    remedy: 'Check user, password, private_key and passphrase; the CRM must know the public half of the key.',
  },
  {
    when: { kind: ['sftp'], said: /no such file/i },
    means: 'The folder is not there.',
    remedy: 'Check folder: it counts from where one stands after signing in, unless it begins with a slash.',
  },
  {
    when: { kind: ['sftp', 'file'], said: /permission denied|EACCES|EPERM|EROFS/i },
    means: 'This account may not write into the folder.',
    remedy: 'Give it the right to write and to rename there.',
  },
  {
    when: { kind: ['sftp', 'file'], said: /ENOSPC|EDQUOT|no space|quota/i },
    means: 'The disk is full.',
    remedy: 'Make room; the bridge tries again.',
  },
  {
    when: { kind: ['file'], said: /ENOENT|ENOTDIR|EEXIST/ },
    means: 'The folder is not there, or a file stands where it should be.',
    remedy: 'Check folder; a network share must be connected for the account that runs the bridge.',
  },

  // Silence
  {
    when: { said: /ETIMEDOUT|timeout|not done within|no answer within|did not answer|never received/i },
    means: 'The server did not answer in time.',
    remedy:
      'Check host and port: a wrong port often looks so, and a firewall that drops silently. Else raise timeout_seconds.',
  },
  {
    when: { said: /ECONNRESET|EPIPE|closed|broke off|other side/i },
    means: 'The server hung up.',
    remedy:
      'Check port and encryption of the settings, and whether the CRM wants to see a certificate of ours (tls.cert). If all is right, the bridge tries again.',
  },
];

import type { Problem, ProblemPlace } from '../model/problem.ts';
import { problemOf, type ProblemFacts } from '../model/problem-text.ts';

/** Every fault bridge.yaml can have: code, what happened, what to do. `{name}` is filled with the facts. */
const CONFIG_PROBLEMS = {
  CONFIG_SCHEMA: { message: '{reason}' },
  CONFIG_SECRET_MISSING: {
    message: 'the environment variable {name} is not set or empty',
    remedy: 'Set it for the user or service that runs the bridge.',
  },
  CONFIG_SECRET_FILE: {
    message: 'the secret file {name} {reason}',
    remedy: 'Put the secret there and let the user that runs the bridge read it.',
  },
  CONFIG_SECRET_SYNTAX: {
    message: '{written} is no reference to a secret',
    remedy: 'Write ${env:NAME} or ${file:/path/of/a/file}.',
  },
  CONFIG_ID_TWICE: {
    message: 'the id {id} is taken by {other}',
    remedy: 'Every one needs an id of its own.',
  },
  CONFIG_ROOFTOP_NAME_TWICE: {
    message: 'the name {name} is taken by {other}',
    remedy: 'Buyers tell rooftops apart by name.',
  },
  CONFIG_FEED_ID_TWICE: {
    message: 'the feed id {name} already stands for {other}',
    remedy: 'A row of a file must lead to one rooftop only.',
  },
  CONFIG_TIMEZONE_UNKNOWN: {
    message: 'no time zone {name}{suggestion}',
    remedy: 'Use an IANA name such as America/New_York.',
  },
  CONFIG_HOURS_REVERSED: {
    message: 'it closes at {close}, before it opens at {open}',
    remedy: 'Use the 24-hour clock, and null for a closed day.',
  },
  CONFIG_FEE_TWICE: {
    message: 'the fee {name} is listed twice',
    remedy: 'Give each charge a name of its own.',
  },
  CONFIG_PUBLIC_URL: {
    message: 'the public address {reason}',
    remedy: 'Write it like https://agent.dealer.example, without a path.',
  },
  CONFIG_PORTS_EQUAL: {
    message: 'port and admin_port are both {port}',
    remedy: 'The two need different ports.',
  },
  CONFIG_PUBLIC_URL_PLAIN: {
    message: 'the server speaks https (server.tls), and the public address begins with http://',
    remedy: 'Write https://, or take server.tls out.',
  },
  CONFIG_TLS: {
    message: 'the file {name} {reason}',
    remedy:
      'Give the certificate and its private key, both in PEM form, as your certificate tool wrote them.',
  },
  CONFIG_PROXY: {
    message: '{name} is no IP address and no network',
    remedy: 'Write it like 10.0.0.5, 10.0.0.0/8 or 2001:db8::/32.',
  },
  CONFIG_TOKEN: { message: '{reason}', remedy: 'Give each token a name of its own.' },
  CONFIG_NO_TOKEN_PLACE: {
    message: 'callers need a token, and nothing says which tokens there are',
    remedy: 'Name a tokens_file and make the first with: dealer-bridge token new NAME.',
  },
  CONFIG_LIMITS: {
    message: '{smaller} is larger than {larger}',
    remedy: 'Lower the one or raise the other.',
  },
  CONFIG_ROOFTOP_UNKNOWN: {
    message: 'no rooftop {name}{suggestion}',
    remedy: 'Use the id of one of the dealer.rooftops.',
  },
  CONFIG_PROFILE_UNKNOWN: {
    message: 'no profile {name}{suggestion}',
    remedy: 'Profiles stand in adapters/feeds/profiles of the program and of the data folder.',
  },
  CONFIG_PROFILE_FILE: {
    message: 'there is no profile file {name}',
    remedy: 'A path is taken relative to the folder of the settings file.',
  },
  CONFIG_FOLDER_SHARED: {
    message: 'its folder is also the folder of feed {other}',
    remedy: 'Each feed needs a folder of its own.',
  },
  CONFIG_SAMPLE_MISSING: {
    message: 'there is no file {name}',
    remedy: 'A path is taken relative to the folder of the settings file.',
  },
  CONFIG_SUPPLEMENTED_UNKNOWN: {
    message: 'no feed {name}{suggestion}',
    remedy: 'Use the id of one of the feeds.',
  },
  CONFIG_SUPPLEMENTED_COMPANION: {
    message: 'the feed {name} {reason}',
    remedy: 'Name the feed that brings the vehicles.',
  },
  CONFIG_SUPPLEMENT_TWICE: {
    message: '{field} of feed {name} is already added by feed {other}',
    remedy: 'Let one companion feed own it.',
  },
  CONFIG_SUPPLEMENT_HIDE: {
    message: 'a companion feed has no vehicles of its own that could be hidden',
    remedy: 'Write when_overdue: warn, and hide at the feed that brings the vehicles.',
  },
  CONFIG_SUPPLEMENT_FEES: {
    message: 'base_plus_fees adds the fees of a rooftop, and none is named',
    remedy: 'Give the feed a rooftop, or {from: column}.',
  },
  CONFIG_SOURCE_KEY_MISSING: {
    message: 'a source of kind {kind} needs "{key}"',
    remedy: 'Add it; passwords and keys by ${env:NAME} or ${file:/path/of/a/file}.',
  },
  CONFIG_SOURCE_KEY_FOREIGN: {
    message: '"{key}" means nothing for a source of kind {kind}',
    remedy: 'Take it out.',
  },
  CONFIG_SOURCE_URL: {
    message: 'the address {reason}',
    remedy: 'Write user, password or token beside it, by ${env:NAME} or ${file:/path/of/a/file}.',
  },
  CONFIG_SOURCE_PLAIN: {
    message: 'anyone on the way to {host} could read and change the files, and the password',
    remedy: 'Use https:// (ftp: tls: explicit), or write allow_plain: true.',
  },
  CONFIG_SOURCE_LOGIN: {
    message: '{reason}',
    remedy: 'By ${env:NAME} or ${file:/path/of/a/file}.',
  },
  CONFIG_SOURCE_HOST_KEY: {
    message: 'nothing says which server is the right one',
    remedy:
      'Give its fingerprint as host_key: SHA256:… (ssh-keyscan HOST | ssh-keygen -lf - shows it), or for a first try accept_any_host_key: true.',
  },
  CONFIG_FEES_NOT_DISCLOSED: {
    message: 'rooftop {name} has no fees, so base_plus_fees has nothing to add',
    remedy: 'List its fees completely ([] for none), or choose another price_basis.',
  },
  CONFIG_APPOINTMENT_HOURS: {
    message: 'mode auto promises visits at rooftop {name}, which has no {missing}',
    remedy: 'Add it to the rooftop, name other rooftops in the rule, or write mode: request.',
  },
  CONFIG_APPOINTMENT_SPAN: {
    message:
      'the earliest visit is {minutes} minutes away, and the latest {days} days: no time is left between',
    remedy: 'Lower lead_time_minutes or raise days_ahead.',
  },
  CONFIG_DESTINATION_WITHOUT_ADAPTER: {
    message: 'names neither an adapter nor a preset',
    remedy: 'Name one of the two, such as adapter: adf-email.',
  },
  CONFIG_ADAPTER_UNKNOWN: {
    message: 'no adapter {name}{suggestion}',
    remedy: 'Adapters stand in adapters/crm of the program and of the data folder.',
  },
  CONFIG_ADAPTER_BROKEN: { message: 'the adapter {name} does not load: {reason}' },
  CONFIG_PRESET_UNKNOWN: {
    message: 'no preset {name}{suggestion}',
    remedy: 'Presets stand in adapters/crm/presets of the program and of the data folder.',
  },
  CONFIG_PRESET_OTHER_ADAPTER: {
    message: 'the preset {preset} is for the adapter {wanted}, not {given}',
    remedy: 'Leave the adapter out; the preset names it.',
  },
  CONFIG_OPTIONS: { message: '{reason}' },
  CONFIG_DEFAULT_ROOFTOP_MISSING: {
    message: '"default_rooftop" is missing',
    remedy: 'A lead that names no vehicle of yours must go somewhere: give the id of a rooftop.',
  },
  CONFIG_NO_DESTINATION: {
    message: 'leads have no destination',
    remedy: 'Add one under leads.destinations, or switch the skill lead.submit off.',
  },
  CONFIG_ROOFTOP_WITHOUT_DESTINATION: {
    message: 'the leads of rooftop {name} have no destination',
    remedy: 'Add the rooftop to a destination, or switch the skill lead.submit off.',
  },
  CONFIG_DATA_FOLDER: {
    message: 'the data folder {name} is a file',
    remedy: 'Name a folder with --data.',
  },
} as const;

export type ConfigProblemCode = keyof typeof CONFIG_PROBLEMS;

export function configProblem(
  code: ConfigProblemCode,
  where: ProblemPlace,
  facts: ProblemFacts = {},
): Problem {
  return problemOf(code, CONFIG_PROBLEMS[code], facts, where);
}

/** A text in quotes, control characters made visible, cut where it would flood the screen. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
}

import { readFileSync, statSync } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import type { TlsConfig } from '../config/config.ts';
import { formatInstant } from '../model/clock.ts';
import type { Clock } from '../model/clock.ts';
import type { Log } from '../model/log.ts';
import { OperatorFault } from '../model/operator-fault.ts';
import { judgeTlsPair } from '../model/tls-pair.ts';
import { RepeatedStep } from '../runtime/repeated-step.ts';

/** For the health page. */
export interface CertificateStatus {
  /** RFC 3339. */
  expires_at: string;
  /** Whole days; negative once it has expired. */
  days_left: number;
  /** Set while the end is near, or past. */
  warning?: string;
  /** Why newer files are not in use. */
  reload_fault?: string;
}

const LOOK_EVERY_MS = 2000;
const DAY_MS = 86_400_000;
const EARLY_DAYS = 21;

/** Certificate and key of the public server, taken from their files again whenever these change. */
export class Certificate {
  readonly #files: TlsConfig;
  readonly #clock: Clock;
  readonly #log: Log;
  #options: SecureContextOptions;
  #expiresAt: number;
  #seen: string;
  #fault: string | undefined;
  #toldDays = EARLY_DAYS;
  #looks: RepeatedStep | undefined;
  #onChange: (options: SecureContextOptions) => void = () => undefined;

  /** Throws an `OperatorFault` when there is no pair to begin with. */
  constructor(files: TlsConfig, clock: Clock, log: Log) {
    this.#files = files;
    this.#clock = clock;
    this.#log = log;
    try {
      this.#seen = this.#state();
      const { options, expiresAt } = this.#read();
      this.#options = options;
      this.#expiresAt = expiresAt;
    } catch (fault) {
      throw new OperatorFault(`server.tls: ${textOf(fault)}`, { cause: fault });
    }
  }

  get options(): SecureContextOptions {
    return this.#options;
  }

  /** For the server: what new connections are to use from now on. */
  onChange(use: (options: SecureContextOptions) => void): void {
    this.#onChange = use;
  }

  /** Looks at the files every few seconds until `stop`. */
  keepFresh(): void {
    this.#tellEnd();
    this.#looks = new RepeatedStep(
      () => {
        this.#look();
        return Promise.resolve();
      },
      LOOK_EVERY_MS,
      (fault) => this.#log.error({ err: fault }, 'certificate not looked at'),
    );
  }

  async stop(): Promise<void> {
    await this.#looks?.stop();
  }

  status(): CertificateStatus {
    const daysLeft = this.#daysLeft();
    return {
      expires_at: formatInstant(this.#expiresAt),
      days_left: daysLeft,
      ...(daysLeft < EARLY_DAYS ? { warning: endText(daysLeft) } : {}),
      ...(this.#fault === undefined ? {} : { reload_fault: this.#fault }),
    };
  }

  #look(): void {
    const state = this.#state();
    if (state !== this.#seen) {
      this.#seen = state;
      this.#reload();
    }
    this.#tellEnd();
  }

  #reload(): void {
    try {
      const { options, expiresAt } = this.#read();
      this.#onChange(options);
      this.#options = options;
      this.#expiresAt = expiresAt;
      this.#toldDays = EARLY_DAYS;
      this.#fault = undefined;
      this.#log.info({ expires_at: formatInstant(expiresAt) }, 'new certificate in use');
    } catch (fault) {
      this.#fault = textOf(fault);
      this.#log.error({ reason: this.#fault }, 'new certificate not usable; the old one stays in use');
    }
  }

  #read(): { options: SecureContextOptions; expiresAt: number } {
    const { passphrase } = this.#files;
    const cert = readFileSync(this.#files.cert, 'utf8');
    const key = readFileSync(this.#files.key, 'utf8');
    const judgement = judgeTlsPair({ cert, key, passphrase });
    if (!judgement.ok) throw new Error(`${this.#files[judgement.part]} ${judgement.reason}`);
    const options: SecureContextOptions = {
      cert,
      key,
      minVersion: 'TLSv1.2',
      ...(passphrase === undefined ? {} : { passphrase }),
    };
    return { options, expiresAt: judgement.expiresAt };
  }

  /** Changes with either file. */
  #state(): string {
    return [this.#files.cert, this.#files.key].map(fileState).join('|');
  }

  /** Once a day, as long as there is reason. */
  #tellEnd(): void {
    const daysLeft = this.#daysLeft();
    if (daysLeft >= this.#toldDays) return;
    this.#toldDays = daysLeft;
    this.#log.warn({ expires_at: formatInstant(this.#expiresAt) }, endText(daysLeft));
  }

  #daysLeft(): number {
    return Math.floor((this.#expiresAt - this.#clock.now()) / DAY_MS);
  }
}

function fileState(file: string): string {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(file);
    return [mtimeMs, ctimeMs, size, ino].join(' ');
  } catch (fault) {
    return textOf(fault);
  }
}

function endText(daysLeft: number): string {
  return daysLeft < 0 ? 'the certificate has expired' : `the certificate expires in ${daysLeft} days`;
}

function textOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}

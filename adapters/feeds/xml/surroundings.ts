import type { ReadContext, RowNote } from '../../../src/adapters/index.ts';
import { PathPattern } from './element-path.ts';
import type { XmlOptions } from './options.ts';

/** What exports call the attribute or element that says how many vehicles there are, normalised. */
const COUNT_NAMES = new Set([
  ...[
    'count',
    'total',
    'totalcount',
    'recordcount',
    'itemcount',
    'unitcount',
    'vehiclecount',
    'listingcount',
  ],
  ...[
    'totalrecords',
    'totalvehicles',
    'totalunits',
    'totalitems',
    'totallistings',
    'totalresults',
    'numrecords',
    'numberofrecords',
    'numvehicles',
    'numberofvehicles',
    'vehicletotal',
    'totalunitcount',
    'totalvehiclecount',
    'totalrecordcount',
    'totalresultcount',
  ],
]);

const COUNT = /^\d{1,9}$/;
/** The root, what stands in it, and what stands in a head or a page of it. */
const DEEPEST_COUNT = 3;

/** What a document says outside of its records: whether it is a feed at all, whether all is well, and how many follow. */
export class Surroundings {
  readonly #options: XmlOptions;
  readonly #record: PathPattern;
  readonly #errorElement: PathPattern | undefined;
  readonly #countPlace: PathPattern | undefined;
  #announcedCount: string | undefined;
  /** The largest: each page of a document may have its own. */
  #likelyCount = 0;
  #rootName = '';
  #hasOtherElements = false;
  #saysAllIsWell = false;

  constructor(options: XmlOptions, record: PathPattern) {
    this.#options = options;
    this.#record = record;
    this.#errorElement = patternOf(options.error_element?.path);
    this.#countPlace = options.count === false ? undefined : patternOf(options.count?.path);
  }

  /** Why a document with this root is none of the profile's, if it is not. */
  judgeRoot(spelled: string, name: string): RowNote | undefined {
    this.#rootName = spelled;
    if (this.#record.mayStandIn(name)) return undefined;
    const wanted = this.#record.roots.join('> or <');
    return { code: 'not_a_feed', detail: `its root is <${spelled}> in place of <${wanted}>` };
  }

  /** `path` holds the normalised names from the root down. */
  addElement(path: readonly string[]): void {
    const isKnown = [this.#errorElement, this.#countPlace].some((pattern) => pattern?.matches(path));
    if (path.length > 1 && !isKnown) this.#hasOtherElements = true;
  }

  /** `name` is normalised and has its `@`. */
  addAttribute(path: readonly string[], name: string, value: string): void {
    if (this.#countPlace?.matches([...path, name]) === true) {
      this.#announcedCount = value;
    } else {
      this.#noteCount(path, name.slice(1), value);
    }
  }

  /** A number that nobody has spoken of counts only where it has a usual name and stands near the root. */
  #noteCount(path: readonly string[], name: string, text: string): void {
    if (this.#options.count !== undefined || path.length > DEEPEST_COUNT || !COUNT_NAMES.has(name)) return;
    if (COUNT.test(text)) this.#likelyCount = Math.max(this.#likelyCount, Number(text));
  }

  /** Takes note of an element's own text, and refuses the document if it is the sender's word that it failed. */
  judgeText(path: readonly string[], text: string): RowNote | undefined {
    if (this.#countPlace?.matches(path) === true) this.#announcedCount = text;
    else if (path.length > 1) this.#noteCount(path, path.at(-1) ?? '', text);
    if (this.#errorElement?.matches(path) !== true) return undefined;
    if (this.#options.error_element?.ok.includes(text) === true) {
      this.#saysAllIsWell = true;
      return undefined;
    }
    return { code: 'vendor_error', detail: `${this.#errorElement.name} is "${text.slice(0, 200)}"` };
  }

  /** Why a whole document is no feed, if it is none. */
  judgeKind(rows: number): RowNote | undefined {
    const isKnownKind = rows > 0 || this.#saysAllIsWell || this.#record.roots.length > 0;
    if (isKnownKind || !this.#hasOtherElements) return undefined;
    return {
      code: 'not_a_feed',
      detail: `its root is <${this.#rootName}> and it has no <${this.#record.name}>`,
    };
  }

  /** What is only likely to be the number of vehicles counts only if the file holds less than it says. */
  compareCount(rows: number, context: Pick<ReadContext, 'warn'>): void {
    const isSure = COUNT.test(this.#announcedCount ?? '');
    const announced = isSure ? Number(this.#announcedCount) : this.#likelyCount;
    if (announced === rows || (!isSure && announced < rows)) return;
    const detail = `it speaks of ${announced} vehicles and holds ${rows}`;
    context.warn({ code: 'possibly_truncated', detail, incomplete: true });
  }
}

function patternOf(path: string | undefined): PathPattern | undefined {
  return path === undefined ? undefined : new PathPattern(path);
}

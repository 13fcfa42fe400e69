import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suggestProfile } from '../../src/feeds/suggest/suggest.ts';
import { CASES, CASES_FOLDER, COMPANION } from '../feeds-intake/case-files.ts';
import { SuggestBench } from './suggest-bench.ts';

let bench: SuggestBench;

beforeAll(async () => {
  bench = await SuggestBench.open();
});

afterAll(() => bench.close());

const READABLE = CASES.filter(({ expected }) => expected.file === 'accepted');
/** A bare & is offered to be mended. */
const MENDED = 'quirks/xml-malformed.xml';
const UNREADABLE = CASES.filter(({ file, expected }) => expected.file === 'rejected' && file !== MENDED);

describe.each(READABLE)('case file $file', (entry) => {
  it('is understood well enough to be taken in at once', async () => {
    const file = path.join(CASES_FOLDER, entry.file);
    const suggestion = await bench.suggest(file);
    expect(suggestion.missing).toEqual([]);
    const preview = await bench.preview(file, suggestion, entry.locked_rooftop);
    expect({ file: preview.file.status, code: preview.file.code }).toEqual({ file: 'accepted' });
    expect({ accepted: preview.accepted, rejected: preview.rejected }).toEqual({
      accepted: entry.expected.accepted,
      rejected: entry.expected.rejected,
    });
    preview.vehicles.forEach(({ vin, stock }, index) => {
      expect([vin, stock]).toContain(entry.expected.accepted_keys?.[index]);
    });
  });

  it('comes out with the sampled identity, condition and price', async () => {
    const file = path.join(CASES_FOLDER, entry.file);
    const preview = await bench.preview(file, await bench.suggest(file), entry.locked_rooftop);
    for (const { key, vehicle } of entry.samples ?? []) {
      const found = preview.vehicles.find((each) =>
        Object.entries(key).every(([name, value]) => each[name as 'vin'] === value),
      );
      const { year, make, model, condition, list_price, mileage } = vehicle;
      const wanted = { year, make, model, condition, list_price, mileage };
      expect(found).toMatchObject(
        Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
      );
    }
  });
});

describe.each(UNREADABLE)('case file $file', (entry) => {
  it('is refused for the reason that a run would give', async () => {
    const suggested = await suggestProfile(path.join(CASES_FOLDER, entry.file));
    expect(suggested.ok).toBe(false);
    if (!suggested.ok) expect(suggested.problems[0]?.code).toBe(entry.expected.file_reason);
  });
});

it('the case file with a bare & is mended, and its profile brings what stands in it', async () => {
  const file = path.join(CASES_FOLDER, MENDED);
  const suggestion = await bench.suggest(file);
  expect(suggestion.file.warnings).toEqual(['xml_repaired']);
  expect(suggestion.profile).toContain('  repair: true\n');
  const { file: facts, accepted, rows } = await bench.preview(file, suggestion);
  expect(facts.status).toBe('accepted');
  expect(accepted).toBe(rows);
});

describe('what the file is', () => {
  it.each([
    ['bom-utf16.csv', { encoding: 'utf-16le', delimiter: ',', hasHeader: true }],
    ['cp1252.csv', { encoding: 'windows-1252' }],
    ['pipe.txt', { delimiter: '|' }],
    ['gzipped.csv.gz', { container: 'gzip' }],
    ['zipped.zip', { container: 'zip' }],
    ['xml-single-item.xml', { reader: 'xml', record: '/inventory/vehicle', rows: 1 }],
  ])('%s', async (name, facts) => {
    expect((await bench.suggest(path.join(CASES_FOLDER, 'quirks', name))).file).toMatchObject(facts);
  });

  it('finds the vehicles among other things that repeat, namespaces and attributes aside', async () => {
    const vehicle = (vin: string): string =>
      `<n:unit vin="${vin}" year="2019"><make>Honda</make><model>Accord</model><stock-number>1E5</stock-number>` +
      `<condition>Used</condition><photos><photo>https://img.example.com/1.jpg</photo></photos></n:unit>`;
    const stores = '<store><id>1</id><name>One</name><url>https://one.example</url></store>'.repeat(3);
    const xml = `<feed xmlns:n="urn:x"><stores>${stores}</stores><units>${vehicle('1HGCV1F31KAA90301')}</units></feed>`;
    const suggestion = await bench.suggestText(xml, 'units.xml');
    expect(suggestion.file).toMatchObject({ record: '/feed/units/unit', rows: 1 });
    const preview = await bench.preview(path.join(bench.folder, 'units.xml'), suggestion);
    expect(preview.vehicles[0]).toMatchObject({
      vin: '1HGCV1F31KAA90301',
      year: 2019,
      stock: '1E5',
      photos: ['https://img.example.com/1.jpg'],
    });
  });

  it('numbers the columns of a table without a header line and says what is missing', async () => {
    const text = 'A1,1HGCV1F31KAA90301,2019,Honda,Accord\nA2,1FTEW1EP5JKA90302,2018,Ford,F-150,"extra"\n';
    const suggestion = await bench.suggestText(text, 'bare.csv');
    expect(suggestion.file).toMatchObject({ hasHeader: false, rows: 2, delimiter: ',' });
    expect(suggestion.missing).toEqual(['model']);
    expect(suggestion.unknown).toEqual(['Column 1', 'Column 5', 'Column 6']);
    expect(suggestion.profile).toContain('- Column 2 # 1HGCV1F31KAA90301, 1FTEW1EP5JKA90302');
    const { file } = await bench.preview(path.join(bench.folder, 'bare.csv'), suggestion);
    expect(file.code).toBe('missing_required_column');
    expect(file.message).toContain('which column is the model?');
  });

  it('is nothing to go by when it has a header line only', async () => {
    const file = await bench.write('VIN,Year,Make,Model,Type\n', 'head.csv');
    expect(await suggestProfile(file)).toMatchObject({ ok: false, problems: [{ code: 'no_rows' }] });
  });

  it('refuses the companion file of photos only by what it lacks', async () => {
    expect((await bench.suggest(COMPANION)).missing).toContain('make');
  });
});

const HEAD = 'VIN,Year,Make,Model';
const ROW = '1HGCV1F31KAA90301,2019,Honda,Accord';

describe('columns', () => {
  it('are matched by their whole name, never by a part of it', async () => {
    const suggestion = await bench.suggestText(`${HEAD},Vin Leads,My Price,Body Shop\n${ROW},a,1,b\n`);
    expect(suggestion.unknown).toEqual(['Vin Leads', 'My Price', 'Body Shop']);
    expect(suggestion.fields.map(({ field }) => field).sort()).toEqual([
      ...['condition', 'make', 'model', 'vin', 'year'],
    ]);
  });

  it('of cost are named as never published, and their values shown nowhere', async () => {
    const suggestion = await bench.suggest(path.join(CASES_FOLDER, 'quirks/cost-leak.csv'));
    expect(suggestion.neverPublished).toEqual([
      ...['Cost', 'Invoice', 'Holdback', 'Pack', 'ACV', 'BookValue', 'FloorplanBalance', 'Lead Email'],
      ...['LockboxCode', 'PreviousOwner'],
    ]);
    expect(suggestion.unknown).toEqual(['Wheel Count']);
    const text = JSON.stringify(suggestion);
    for (const secret of [
      '11111',
      '22222',
      '15555',
      '16666',
      '17777',
      '9911',
      'OWNER-PLACEHOLDER',
      'leads@crm',
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it('show three different values and what the mapping makes of them', async () => {
    const { fields } = await bench.suggest(path.join(CASES_FOLDER, 'google-vehicle-listings.csv'));
    expect(fields.find(({ field }) => field === 'list_price')).toEqual({
      field: 'list_price',
      columns: ['price'],
      samples: [
        { row: 1, value: '56,345.00 USD', result: 56345 },
        { row: 2, value: '66,995.00 USD', result: 66995 },
        { row: 3, value: '38,895.00 USD', result: 38895 },
      ],
    });
  });

  it.each([
    ['Type', 'SUV', 'Is New', 'N', { condition: 'used', vehicle_type: 'car' }],
    ['Vehicle Type', 'N', 'Type', 'Motorcycle', { condition: 'new', vehicle_type: 'motorcycle' }],
    ['Condition', 'VERY_GOOD', 'State_of_Vehicle', 'CPO', { condition: 'cpo' }],
    ['Status', 'UR', 'Used', '0', { condition: 'used' }],
    ['New', 'Y', 'Used Parts', 'N', { condition: 'new' }],
    ['Used', '0', 'Status', 'Sale Pending', { condition: 'new', status: 'pending' }],
  ])('%s (%s) and %s (%s) are told apart by their values', async (one, first, other, second, outcome) => {
    const suggestion = await bench.suggestText(
      `${HEAD},${one},${other}\n${ROW},${first},${second}\n`,
      'words.csv',
    );
    const { vehicles } = await bench.preview(path.join(bench.folder, 'words.csv'), suggestion);
    expect(vehicles[0]).toMatchObject(outcome);
  });

  it('with days first get a date format', async () => {
    const suggestion = await bench.suggestText(`${HEAD},DateInStock\n${ROW},05/06/2026\n${ROW},25/06/2026\n`);
    expect(suggestion.profile).toContain('format: DD/MM/YYYY');
  });
});

describe('questions', () => {
  it('are asked about every ambiguous column, with its values, and stand at the field in the profile', async () => {
    const text = `${HEAD},type,price,title,options,id\n${ROW},Used,100,Clean,A;B,7\n${ROW},New,200,Clean,C;D,8\n`;
    const { questions, profile } = await bench.suggestText(text);
    expect(questions.flatMap(({ column }) => column ?? [])).toEqual([
      'type',
      'price',
      'title',
      'options',
      'id',
    ]);
    expect(questions.find(({ column }) => column === 'title')).toMatchObject({
      field: 'condition',
      values: [{ value: 'Clean', rows: 2 }],
      question: expect.stringContaining('(Now not used.)') as string,
    });
    expect(profile).toMatch(/# QUESTION: Is "price" .*\n {2}list_price: price\n/);
    expect(profile).toMatch(/# QUESTION: Is "type" .*\n.*# QUESTION: Is "title" .*\n {2}condition: type\n/);
  });

  it('are asked about words that nobody knows, whose rows are refused until then', async () => {
    const text = `${HEAD},New/Used,Status\n${ROW},Fabrikneu,Zeta\n`;
    const suggestion = await bench.suggestText(text, 'foreign.csv');
    expect(suggestion.questions.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['condition', 'status', 'mode']),
    );
    const { accepted, rejections } = await bench.preview(path.join(bench.folder, 'foreign.csv'), suggestion);
    expect(accepted).toBe(0);
    expect(rejections.map(({ code }) => code)).toEqual(['status_unknown']);
  });

  it('about yes and no leave a row without an answer refused, never taken for used', async () => {
    const text = `${HEAD},Is New\n${ROW},Y\n1FTEW1EP5JKA90302,2018,Ford,F-150,N\n3GCUKRECXGGA90303,2016,GMC,X,maybe\n`;
    const suggestion = await bench.suggestText(text, 'flags.csv');
    expect(suggestion.questions.find(({ column }) => column === 'Is New')?.field).toBe('condition');
    const { vehicles, rejections } = await bench.preview(path.join(bench.folder, 'flags.csv'), suggestion);
    expect(vehicles.map(({ condition }) => condition)).toEqual(['new', 'used']);
    expect(rejections.map(({ code, value }) => [code, value])).toEqual([['condition_unknown', 'maybe']]);
  });

  it('say when no column tells new from used', async () => {
    const { questions, profile } = await bench.suggestText(`${HEAD}\n${ROW}\n`);
    expect(questions[0]).toMatchObject({
      field: 'condition',
      question: expect.stringContaining('used') as string,
    });
    expect(profile).toMatch(/# QUESTION: No column says new or used.*\n {2}condition:\n {4}constant: used\n/);
  });

  it('keep what a file says out of the rest of the profile', async () => {
    const text = `${HEAD},Type\n${ROW},"Used\nmap: {}"\n`;
    const { profile } = await bench.suggestText(text);
    expect(profile).not.toMatch(/^map: \{\}/m);
    expect(profile).toContain('Used\\nmap: {}');
  });
});

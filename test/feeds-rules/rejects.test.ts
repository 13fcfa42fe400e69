import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { discardHeldFile, findHeldFile, releaseHeldFile } from '../../src/feeds/held-files.ts';
import { takeBackGrownFiles } from '../../src/feeds/inbox/grown-files.ts';
import { notice } from '../../src/feeds/inbox/notice.ts';
import { isNeverPublished } from '../../src/feeds/profile/never-published.ts';
import { RejectsTable } from '../../src/feeds/reporting/rejects-table.ts';
import { normaliseColumnPath } from '../../src/model/column.ts';
import { Dealership } from '../feeds-intake/dealership.ts';
import { filesIn, rejectsIn, takeIn } from './drop-file.ts';

let dealership: Dealership;

beforeEach(async () => {
  dealership = await Dealership.open();
});

afterEach(async () => {
  await dealership.close();
});

const HEADER = 'stock,year,make,model,condition,list_price,description\n';

describe('the table of refused rows', () => {
  it('shows each refused row with the reason before its own cells', async () => {
    const feed = dealership.feed('aap');
    const report = await takeIn(
      `${HEADER}A1,2020,Honda,Civic,used,20000,fine\nA2,2021,Honda,Fit,shiny,19000,"blue, ""rare"""\n`,
      feed,
      dealership,
    );
    expect(report.status).toBe('partial');
    const [refused] = report.rejections;
    expect(await rejectsIn('done', feed, dealership)).toBe(
      'row,line,code,field,value,reason,what_to_do,stock,year,make,model,condition,list_price,description\r\n' +
        `2,3,condition_unknown,condition,shiny,"${refused!.message.replaceAll('"', '""')}","${refused!.remedy!}",` +
        'A2,2021,Honda,Fit,shiny,19000,"blue, ""rare"""\r\n',
    );
  });

  it('is not there when no row was refused', async () => {
    const feed = dealership.feed('aap');
    await takeIn(`${HEADER}A1,2020,Honda,Civic,used,20000,fine\n`, feed, dealership);
    const names = await filesIn('done', feed, dealership);
    expect(names.map((name) => name.replace(/^.*lot\.csv/, ''))).toEqual(['', '.report.json', '.report.txt']);
  });

  it('also holds a row that lost against a later one, which is known only at the end', async () => {
    const feed = dealership.feed('aap');
    await takeIn(
      `${HEADER}A1,2020,Honda,Civic,used,20000,first\nA2,2020,Honda,Fit,used,9000,\nA1,2020,Honda,Civic,used,19000,last\n`,
      feed,
      dealership,
    );
    const [, line] = (await rejectsIn('done', feed, dealership))!.split('\r\n');
    expect(line).toMatch(/^1,2,duplicate_vin,/);
    expect(line).toMatch(/,A1,2020,Honda,Civic,used,20000,first$/);
  });

  it('lies in failed when every row was refused', async () => {
    const feed = dealership.feed('aap');
    await takeIn(`${HEADER}A1,2020,Honda,Civic,shiny,20000,x\n`, feed, dealership);
    expect(await rejectsIn('failed', feed, dealership)).toContain('A1,2020,Honda,Civic,shiny,20000,x');
  });

  it('keeps a cell from being run as a formula, in the reason too', async () => {
    const feed = dealership.feed('aap');
    await takeIn(
      `${HEADER}A1,2020,Honda,Civic,"=HYPERLINK(""http://x.example"")",-5,+1\nA2,2020,@Kia,Rio,used,1,\n`,
      feed,
      dealership,
    );
    const [, line] = (await rejectsIn('done', feed, dealership))!.split('\r\n');
    const formula = `"'=HYPERLINK(""http://x.example"")"`;
    expect(line).toContain(`condition_unknown,condition,${formula},`);
    expect(line).toMatch(/,A1,2020,Honda,Civic,"'=HYPERLINK\(""http:\/\/x\.example""\)",'-5,'\+1$/);
  });

  it('leaves cost out that stands within a cell of JSON or beside its name', () => {
    const isSecret = (column: string) => isNeverPublished(column) || column === 'P/floor';
    const reason = { row: 1, line: 2, code: 'vin_invalid', key: '', message: 'm' };
    const shown = (cells: Record<string, string[]>): string => {
      const columns = Object.keys(cells);
      const texts = new Map(columns.map((column) => [normaliseColumnPath(column), cells[column] ?? []]));
      return new RejectsTable(columns, isSecret).line(reason, texts, false);
    };
    const json = shown({
      P: ['{"asking_price": 19996, "cost": 15111, "floor": 15222, "all": [{"Invoice": 15333}]}'],
    });
    expect(json).toContain('""asking_price"":19996');
    expect(json).not.toMatch(/15[1-3]/);
    expect(shown({ P: ['[{"name":"Invoice","value":15444},{"name":"Color","value":"Red"}]'] })).not.toContain(
      '15444',
    );
    expect(shown({ P: ['{"cost": 15111, "brok'] })).not.toContain('15111');
    const pairs = shown({ 'a/b/@name': ['cost', 'color'], 'a/b/@value': ['15444', 'Red'], 'a/b': ['15555'] });
    expect(pairs).toContain('|Red');
    expect(pairs).not.toMatch(/15[45]/);
    // What holds no cost is shown as it came.
    expect(shown({ P: ['{"a": 1,  "b": [2]}'], Q: ['[Nice car]'] })).toContain(
      '"{""a"": 1,  ""b"": [2]}",[Nice car]',
    );
  });

  it('leaves cost columns out', async () => {
    const feed = dealership.feed('homenet');
    await takeIn(
      'Type,Stock,VIN,Year,Make,Model,SellingPrice,Invoice,BookValue\n' +
        'Used,H1,,2020,Honda,Civic,20000,17111,16222\nBroken,H2,,2020,Honda,Fit,20000,17111,16222\n',
      feed,
      dealership,
    );
    const table = (await rejectsIn('done', feed, dealership))!;
    expect(table.split('\r\n')[0]).toMatch(/,what_to_do,Type,Stock,VIN,Year,Make,Model,SellingPrice$/);
    expect(table).toContain(',Broken,H2,,2020,Honda,Fit,20000\r\n');
    expect(table).not.toMatch(/17111|16222/);
  });

  it('does not show a cost that has slipped under another column', async () => {
    const feed = dealership.feed('homenet');
    await takeIn(
      'Stock,VIN,Type,Year,Make,Model,Invoice,SellingPrice\n' +
        'H1,,Used,2020,Honda,Civic,17111,20000\nH2,,Used,2020,Honda,Fit,LX,17111,20000\n',
      feed,
      dealership,
    );
    const table = (await rejectsIn('done', feed, dealership))!;
    expect(table).toMatch(/2,3,row_too_long,.*,,,,,,,\r\n/);
    expect(table).not.toContain('17111');
  });

  it('shows slipped cells of a file that has no cost column', async () => {
    const feed = dealership.feed('aap');
    await takeIn(
      `${HEADER}A1,2020,Honda,Civic,used,20000,x\nA2,2020,Honda,Fit,LX,used,9000,y\n`,
      feed,
      dealership,
    );
    expect(await rejectsIn('done', feed, dealership)).toMatch(
      /2,3,row_too_long,.*,A2,2020,Honda,Fit,LX,used,9000\r\n/,
    );
  });

  it('has the element paths of an XML file for columns, also those that come after the row', async () => {
    const feed = dealership.feed('cdk');
    const unit = (fields: string): string => `<InventoryVehicle>${fields}</InventoryVehicle>`;
    await takeIn(
      `<x>${unit('<VIN></VIN><StockNo>C1</StockNo><StockType>ODD</StockType><Year>2020</Year><MakeName>KIA</MakeName><Model>RIO</Model><Cost>9</Cost>')}` +
        `${unit('<VIN>1FTFW5L82TFA90101</VIN><StockNo>C2</StockNo><StockType>USED</StockType><Year>2020</Year><MakeName>KIA</MakeName><Model>RIO</Model><Color>RED</Color>')}</x>`,
      feed,
      dealership,
      { name: 'lot.xml' },
    );
    const [header, line] = (await rejectsIn('done', feed, dealership))!.split('\r\n');
    expect(header).toMatch(/,what_to_do,VIN,StockNo,StockType,Year,MakeName,Model,Color$/);
    expect(line).toMatch(/,,C1,ODD,2020,KIA,RIO,$/);
  });

  it('joins the texts of one column, puts blank-edged cells into quotes and fills what a row lacks', () => {
    const table = new RejectsTable(['Photos/Photo', 'Note', 'Gone'], () => false);
    const cells = new Map([
      ['photos/photo', ['a.jpg', 'b.jpg']],
      ['note', [' two\nlines ']],
    ]);
    const refused = { row: 3, line: 9, key: '', code: 'no_identity', message: 'who is it' };
    expect(table.header()).toBe('row,line,code,field,value,reason,what_to_do,Photos/Photo,Note,Gone\r\n');
    expect(table.line(refused, cells, false)).toBe(
      '3,9,no_identity,,,who is it,,a.jpg|b.jpg," two\nlines ",\r\n',
    );
  });
});

describe('the table goes where its file goes', () => {
  const ten = Array.from({ length: 10 }, (_, n) => `A${n},2020,Honda,Civic,used,20000,x\n`).join('');
  const small = `${HEADER}A0,2020,Honda,Civic,used,20000,x\nB1,2020,Kia,Rio,shiny,1,\n`;

  it('to done when a held file is released', async () => {
    const feed = dealership.feed('aap');
    await takeIn(HEADER + ten, feed, dealership);
    const { runId, status } = await takeIn(small, feed, dealership, { name: 'small.csv' });
    expect(status).toBe('held');
    expect(await rejectsIn('held', feed, dealership)).toContain('B1,2020,Kia,Rio,shiny');
    const held = await findHeldFile(runId, feed.id, dealership.folder);
    await releaseHeldFile(held!, runId, feed, dealership.services());
    expect(await filesIn('held', feed, dealership)).toEqual([]);
    expect(await rejectsIn('done', feed, dealership)).toContain('B1,2020,Kia,Rio,shiny');
  });

  it('to failed when a held file is discarded, with or without a table', async () => {
    const feed = dealership.feed('aap');
    await takeIn(HEADER + ten, feed, dealership);
    const one = await takeIn(small, feed, dealership, { name: 'small.csv' });
    const two = await takeIn(`${HEADER}A0,2020,Honda,Civic,used,20000,x\n`, feed, dealership);
    for (const { runId } of [one, two]) {
      const held = await findHeldFile(runId, feed.id, dealership.folder);
      await discardHeldFile(held!, feed.id, dealership.folder);
    }
    expect(await filesIn('held', feed, dealership)).toEqual([]);
    expect(await filesIn('failed', feed, dealership)).toHaveLength(7);
    expect(await rejectsIn('failed', feed, dealership)).toContain('B1,2020,Kia,Rio,shiny');
  });

  it('away when the file has grown and is taken in again', async () => {
    const feed = dealership.feed('aap');
    await takeIn(small, feed, dealership);
    const names = await filesIn('done', feed, dealership);
    expect(names).toHaveLength(4);
    const file = path.join(dealership.folder, 'done', feed.id, names[0]!);
    await appendFile(file, 'A2,2020,Honda,Fit,used,9000,\n');
    await takeBackGrownFiles(feed, dealership.services());
    expect(await filesIn('done', feed, dealership)).toEqual([]);
    expect(await readdir(feed.folder)).toEqual(['lot.csv']);
  });

  it('and is not taken for an export when it lies in an inbox', async () => {
    const folder = path.join(dealership.folder, 'inbox');
    await mkdir(folder);
    await writeFile(path.join(folder, 'lot.csv.rejects.csv'), 'row,line\n');
    expect(await notice(folder, { files: '*' })).toEqual({
      files: [],
      leftAlone: [
        { name: 'lot.csv.rejects.csv', reason: 'it is the list of refused rows of an earlier run' },
      ],
    });
  });
});

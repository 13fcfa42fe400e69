import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SuggestBench } from './suggest-bench.ts';

/** Exports of systems that nobody has described, by what is peculiar to them. */

let bench: SuggestBench;

beforeAll(async () => {
  bench = await SuggestBench.open();
});

afterAll(() => bench.close());

const VIN = '1HGCV1F31KAA90301';
const OTHER_VIN = '1FTEW1EP5JKA90302';
const HEAD = 'VIN,Stock,Year,Make,Model,New/Used';
const ROW = `${VIN},A1,2019,Honda,Accord,Used`;

function photo(number: number): string {
  return `https://img.example.com/a1/${number}.jpg`;
}

describe('photos', () => {
  it.each(['Photo1,Photo2,Photo10', 'Image_01,Image_02,Image_10', 'Photo URL 1,Photo URL 2,Photo URL 10'])(
    'in numbered columns %s come in the order of their numbers',
    async (columns) => {
      const { preview, suggestion } = await bench.try(
        `${HEAD},${columns}\n${ROW},${photo(1)},${photo(2)},${photo(10)}\n`,
      );
      expect(suggestion.unknown).toEqual([]);
      expect(preview.vehicles[0]?.photos).toEqual([photo(1), photo(2), photo(10)]);
    },
  );

  it('are named one by one where the star would stand for another column too', async () => {
    const { suggestion, preview } = await bench.try(
      `${HEAD},Photo1,Photo2,Photographer\n${ROW},${photo(1)},${photo(2)},https://example.com/jane.jpg\n`,
    );
    expect(suggestion.profile).toContain('photos:\n    - Photo1\n    - Photo2\n');
    expect(preview.vehicles[0]?.photos).toEqual([photo(1), photo(2)]);
  });

  it('are known by their addresses where no name tells', async () => {
    const unit =
      `<unit vin="${VIN}" year="2019" make="Honda" model="Accord" condition="Used"><shots>` +
      `<shot src="${photo(1)}"/><shot src="${photo(2)}"/></shots></unit>`;
    const { suggestion, preview } = await bench.try(`<units>${unit}</units>`, 'shots.xml');
    expect(suggestion.questions.map(({ column }) => column)).toContain('shots/shot/@src');
    expect(preview.vehicles[0]?.photos).toEqual([photo(1), photo(2)]);
  });
});

it('numbered columns of equipment are one list', async () => {
  const { preview } = await bench.try(`${HEAD},Option 1,Option 2\n${ROW},Sunroof,Tow hitch\n`);
  expect(preview.vehicles[0]?.features).toEqual(['Sunroof', 'Tow hitch']);
});

it('cells that hold JSON are columns of their own, secret members among them', async () => {
  const cell = (value: unknown): string => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  const { suggestion, preview } = await bench.try(
    `${HEAD},Mileage,Images,Prices\n${ROW},${cell({ value: 100_000, unit: 'KM' })},` +
      `${cell([{ url: photo(1) }, { url: photo(2) }])},${cell({ 'internet price': 19_750, invoice: 11_111 })}\n`,
  );
  expect(suggestion.neverPublished).toEqual(['Prices/invoice']);
  expect(JSON.stringify(suggestion)).not.toContain('11111');
  expect(preview.vehicles[0]).toMatchObject({
    mileage: 62_137,
    photos: [photo(1), photo(2)],
    list_price: 19_750,
  });
});

describe('mileage', () => {
  it.each(['Odometer (km)', 'Mileage_KM', 'Kilométrage [km]', 'Kilometerstand'])(
    '%s is in kilometers, which nobody is asked',
    async (column) => {
      const { suggestion, preview } = await bench.try(`${HEAD},${column}\n${ROW},100000\n`);
      expect(preview.vehicles[0]?.mileage).toBe(62_137);
      expect(suggestion.questions.map(({ field }) => field)).toEqual(['mode']);
    },
  );

  it('of an odometer without a unit is miles, and that is asked', async () => {
    const { suggestion, preview } = await bench.try(`${HEAD},Odometer\n${ROW},45210\n`);
    expect(preview.vehicles[0]?.mileage).toBe(45_210);
    expect(suggestion.profile).toMatch(
      /# QUESTION: Is "Odometer" in miles, or in kilometers .*\n {2}mileage: Odo/,
    );
  });

  it('stands beside engine hours', async () => {
    const { preview } = await bench.try(`${HEAD},Miles,Engine Hours\n${ROW},900,210\n`);
    expect(preview.vehicles[0]).toMatchObject({ mileage: 900, other_attributes: { engine_hours: 210 } });
  });
});

describe('numbers with a comma before the decimals', () => {
  it.each([
    ['21.995,50', '45.210', 21_996, 45_210],
    ['"21 995,50 $"', '45 210', 21_996, 45_210],
    ['$ 21.995', '812', 21_995, 812],
  ])('%s and %s are read, and the currency is asked', async (price, miles, listPrice, mileage) => {
    const head = HEAD.replaceAll(',', ';');
    const { suggestion, preview } = await bench.try(
      `${head};Price;Miles\n${ROW.replaceAll(',', ';')};${price};${miles}\n`,
    );
    expect(suggestion.profile).toMatch(/# QUESTION: .*US dollars.*\ndecimal_mark: ","\n/);
    expect(preview.vehicles[0]).toMatchObject({ list_price: listPrice, mileage });
  });

  it.each(['21,995', '21,995.50', '21995.5', '21995'])('are not supposed for %s', async (price) => {
    const { suggestion } = await bench.try(`${HEAD},Price\n${ROW},"${price}"\n`);
    expect(suggestion.profile).not.toContain('decimal_mark');
  });
});

describe('dates', () => {
  it.each([
    ['03/04/2026', '2026-03-04', 'DD/MM/YYYY'],
    ['03.04.2026', '2026-04-03', 'MM.DD.YYYY'],
    ['3-4-26', '2026-03-04', 'DD-MM-YY'],
  ])('such as %s may be read in two ways, and that is asked', async (date, read, other) => {
    const { suggestion, preview } = await bench.try(`${HEAD},Date In Stock\n${ROW},${date}\n`);
    expect(preview.vehicles[0]?.inventory_date).toBe(read);
    const question = suggestion.questions.find(({ field }) => field === 'inventory_date')?.question;
    expect(question).toContain(`format: ${other} }`);
  });

  it.each([
    ['25/12/2025', '2025-12-25'],
    ['12/25/2025 08:00', '2025-12-25'],
    ['2025.12.25', '2025-12-25'],
    ['25 Dec 2025', '2025-12-25'],
    ['2025-12-25', '2025-12-25'],
  ])('such as %s can be read in one way only', async (date, read) => {
    const { suggestion, preview } = await bench.try(`${HEAD},Date In Stock\n${ROW},${date}\n`);
    expect(preview.vehicles[0]?.inventory_date).toBe(read);
    expect(suggestion.questions.map(({ field }) => field)).toEqual(['mode']);
  });

  it('that nobody can read are left out until the person says how', async () => {
    const { suggestion, preview } = await bench.try(`${HEAD},Date In Stock\n${ROW},week 12\n`);
    expect(preview.vehicles[0]?.inventory_date).toBeUndefined();
    expect(suggestion.questions.map(({ field }) => field)).toContain('inventory_date');
  });
});

describe('columns in other languages', () => {
  it.each([
    ['Fahrgestellnummer;Interne Nummer;Baujahr;Marke;Modell;Zustand;Preis;Farbe', 'Gebraucht'],
    ['NIV;No de stock;Année;Marque;Modèle;État;Prix;Couleur', 'Usagé'],
    ['NIV;NO DE STOCK;ANNEE;MARQUE;MODELE;ETAT;PRIX;COULEUR', 'OCCASION'],
  ])('%s', async (head, used) => {
    const row = `${VIN};A1;2019;Honda;Accord;${used};21.995,00;Rot`;
    const { preview } = await bench.try(`${head}\n${row}\n`);
    expect(preview.vehicles[0]).toMatchObject({
      ...{ vin: VIN, stock: 'A1', year: 2019, make: 'Honda', model: 'Accord', condition: 'used' },
      ...{ list_price: 21_995, exterior_color: 'Rot' },
    });
  });
});

describe('dealer systems', () => {
  it('with short names in capitals: the stock number before the number of the record, letters asked', async () => {
    const { suggestion, preview } = await bench.try(
      'VEHICLE-ID,STK-NO,SER-NO,YR,MK,MDL,CLR,NEW-USED,MILES,LIST-PRC,INV-AMT,GL-BAL,STATUS\n' +
        `77,A1,${VIN},19,HONDA,ACCORD,RED,U,45210,21995,18001,17902,I\n`,
    );
    expect(preview.vehicles[0]).toMatchObject({ vin: VIN, stock: 'A1', vehicle_id: '77', year: 2019 });
    expect(suggestion.neverPublished).toEqual(['INV-AMT', 'GL-BAL']);
    expect(suggestion.questions.map(({ question }) => question)).toContain(
      '"I" is read as intransit. Is that right?',
    );
  });

  it('whose columns all begin with the same word', async () => {
    const { suggestion, preview } = await bench.try(
      'Vehicle VIN,Vehicle Year,Vehicle Make,Vehicle Model,Vehicle Odometer,Vehicle List Price,Vehicle Cost,Class\n' +
        `${VIN},2019,Honda,Accord,45210,21995,17003,Used\n`,
    );
    expect(preview.vehicles[0]).toMatchObject({
      vin: VIN,
      mileage: 45_210,
      list_price: 21_995,
      condition: 'used',
    });
    expect(suggestion.neverPublished).toEqual(['Vehicle Cost']);
  });

  it('with many names of cost keep all of them inside, whatever else the name says', async () => {
    const secret = [
      'Total Unit Cost',
      'NetInvoice',
      'Pack Amount',
      'Recon Total',
      'Wholesale Value',
      'Gross',
    ];
    const { suggestion } = await bench.try(`${HEAD},${secret.join()},Packages\n${ROW},1,2,3,4,5,6,Sport\n`);
    expect(suggestion.neverPublished).toEqual(secret);
    expect(suggestion.unknown).toEqual(['Packages']);
    expect(suggestion.profile).toMatch(/never_publish:\n {2}- Total Unit Cost\n/);
  });
});

describe('XML', () => {
  it('with groups, a namespace and the dealer around: the vehicle is found, not its parts', async () => {
    const vehicle = (vin: string): string =>
      `<d:Vehicle><d:Identification><d:VIN>${vin}</d:VIN></d:Identification><d:Spec><d:ModelYear>2019</d:ModelYear>` +
      '<d:Make>Honda</d:Make><d:Model>Accord</d:Model></d:Spec><d:Pricing><d:InternetPrice>21995</d:InternetPrice>' +
      '<d:InvoicePrice>9999</d:InvoicePrice></d:Pricing><d:Type>Used</d:Type></d:Vehicle>';
    const { suggestion, preview } = await bench.try(
      `<d:Export xmlns:d="urn:d"><d:Dealer><d:Id>HPM01</d:Id><d:Vehicles>${vehicle(VIN)}</d:Vehicles></d:Dealer></d:Export>`,
      'nested.xml',
    );
    expect(suggestion.file.record).toBe('/Export/Dealer/Vehicles/Vehicle');
    expect(suggestion.neverPublished).toEqual(['Pricing/InvoicePrice']);
    expect(preview.vehicles[0]).toMatchObject({ vin: VIN, year: 2019, make: 'Honda', list_price: 21_995 });
  });

  it('with a bare & is mended by the profile, which says so', async () => {
    const { suggestion, preview } = await bench.try(
      `<inv><unit><vin>${VIN}</vin><year>2019</year><make>Honda</make><model>Accord</model><condition>Used</condition>` +
        '<description>Caf&eacute; racer, clean & nice</description></unit></inv>',
      'ampersand.xml',
    );
    expect(suggestion.profile).toMatch(
      /# QUESTION: The XML is broken .*\noptions:\n {2}record: \/inv\/unit\n {2}repair: true/,
    );
    expect(preview.vehicles[0]?.description).toBe('Café racer, clean & nice');
    expect(preview.file.warnings).toEqual(['xml_repaired']);
  });
});

describe('tables without column names', () => {
  it('are told by values that cannot be mistaken, and every one is asked', async () => {
    const { suggestion } = await bench.try(
      `U|A1|${VIN}|2019|Honda|Accord|20" alloy|17500|21995\nN|A2|${OTHER_VIN}|2026|Ford|F-150||48000|51995\n`,
      'bare.txt',
    );
    const taken = suggestion.fields.flatMap(({ field, columns }) =>
      field === 'model' ? [] : [[field, ...columns]],
    );
    expect(taken).toEqual([
      ['vin', 'Column 3'],
      ['year', 'Column 4'],
      ['make', 'Column 5'],
      ['condition', 'Column 1'],
    ]);
    expect(suggestion.questions.map(({ column }) => column).filter((column) => column !== undefined)).toEqual(
      expect.arrayContaining(['Column 1', 'Column 3', 'Column 4', 'Column 5']),
    );
    expect(suggestion.questions.find(({ field }) => field === 'model')?.question).toContain(
      'Perhaps it is "Column 6"',
    );
    const answered = suggestion.profile.replace('which column is the model?', 'Column 6');
    const preview = await bench.preview(`${bench.folder}/bare.txt`, { profile: answered });
    expect(preview.vehicles.map(({ model, condition }) => [model, condition])).toEqual([
      ['Accord', 'used'],
      ['F-150', 'new'],
    ]);
    expect(JSON.stringify(preview.vehicles)).not.toMatch(/17500|21995/);
  });

  it('do not take a long word of the first line for a VIN', async () => {
    const { suggestion } = await bench.try(`FAHRGESTELLNUMMER;X;Y\n${VIN};1;2\n`);
    expect(suggestion.file.hasHeader).toBe(true);
  });
});

describe('files that hold no vehicles as the bridge needs them', () => {
  it.each([
    ['one column', `VIN\n${VIN}\n`],
    ['a title line before the names', `Acme Export\n\n${HEAD}\n${ROW}\n`],
    ['another delimiter', `${HEAD}\n${ROW}\n`.replaceAll(',', '^')],
    ['columns of a fixed width', `${VIN}  A1  2019\n${OTHER_VIN}  A2  2018\n`],
  ])('%s: what to ask the vendor for is said', async (_, text) => {
    const { questions, missing } = await bench.suggestText(text);
    expect(questions[0]).toMatchObject({
      field: 'reader',
      question: expect.stringContaining('comma, semicolon, tab or pipe') as string,
    });
    expect(missing).toContain('model');
  });

  it('year, make and model in one column', async () => {
    const { questions } = await bench.suggestText(`VIN,Vehicle,Class\n${VIN},2019 Honda Accord,Used\n`);
    expect(questions.find(({ field }) => field === 'model')?.question).toContain(
      '"Vehicle" holds year, make and model in one',
    );
  });
});

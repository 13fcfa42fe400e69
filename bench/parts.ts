import { benchFeeds, type FeedFigure } from './feeds.ts';
import { benchGrowth } from './growth.ts';
import { benchEndpoint, benchOverHttp } from './http/http-parts.ts';
import { benchSecondProcess } from './http/second-process.ts';
import { benchLeads } from './leads.ts';
import { benchMemory } from './memory.ts';
import { benchMillion } from './million.ts';
import { benchRebuild } from './rebuild.ts';
import { atLeast, atMost, rounded, type Row } from './report.ts';
import { benchInProcess } from './search.ts';
import { benchStart } from './start.ts';

interface Part {
  title: string;
  run: () => Row[] | Promise<Row[]>;
  /** It takes long, and is measured only when it is named. */
  isOnlyByName?: boolean;
}

const START_SECONDS: Record<string, number> = { '10000': 1.5, '100000': 5 };
/** Of the parser alone, by processor time. */
const FEED_PERCENT: Record<string, number> = {
  'CSV taken in': 50,
  'CSV, 1 % changed': 70,
  'XML taken in': 50,
};
const FEED_MEGABYTES = 400;
/** Of a bare express with one commit a lead, by number of clients. */
const LEAD_PERCENT: Record<number, number> = { 1: 50, 16: 100 };

/** What can be named after `npm run bench --`, in the order in which all of it runs. */
export const PARTS: Record<string, Part> = {
  search: {
    title: 'Search: pages of 20 by price, in process and over HTTP',
    run: async () => [...(await benchInProcess('page')), ...(await benchOverHttp('search'))],
  },
  facets: {
    title: 'Facets: 16 terms and 5 ranges, in process and over HTTP',
    run: async () => [...(await benchInProcess('facets')), ...(await benchOverHttp('facets'))],
  },
  endpoint: {
    title: 'Endpoint: what a call costs beside its answer; what a second process would add',
    run: async () => [...(await benchEndpoint()), ...(await benchSecondProcess())],
  },
  growth: { title: 'Growth: a hundred times the vehicles', run: benchGrowth },
  memory: { title: 'Memory of the program', run: benchMemory },
  rebuild: { title: 'Rebuild: searches while a file is taken in', run: benchRebuild },
  start: { title: 'Start: from the process to the first search with all vehicles', run: startRows },
  feeds: { title: 'Feeds: a file taken in, against its parser alone', run: feedRows },
  million: {
    title: 'A million rows: what grows with the file',
    run: benchMillion,
    isOnlyByName: true,
  },
  leads: { title: 'Leads: on disk before the answer', run: leadRows },
};

async function startRows(): Promise<Row[]> {
  return (await benchStart()).map(({ name, seconds, slowestSeconds, cpuSeconds }) => {
    const most = START_SECONDS[/\d+/.exec(name)?.[0] ?? ''];
    return {
      name,
      values: {
        'median s': rounded(seconds, 2),
        'slowest s': rounded(slowestSeconds, 2),
        'CPU s': cpuSeconds === undefined ? 'not told' : rounded(cpuSeconds, 2),
      },
      goals: most === undefined ? [] : [atMost('median s', seconds, most)],
    };
  });
}

async function feedRows(): Promise<Row[]> {
  const { intake } = await benchFeeds();
  return intake.map((figure) => ({
    name: figure.name,
    values: {
      'median s': rounded(figure.seconds, 2),
      'rows/s': rounded(figure.rowsPerSecond),
      ...(figure.share === undefined ? {} : { '% of parser': rounded(figure.share * 100) }),
      ...(figure.cpuShare === undefined ? {} : { '% by CPU': rounded(figure.cpuShare * 100) }),
      'peak RSS MB': rounded(figure.peakRssMegabytes),
    },
    goals: feedGoals(figure),
  }));
}

function feedGoals({ name, cpuShare, peakRssMegabytes }: FeedFigure): Row['goals'] {
  const least = FEED_PERCENT[name];
  return [
    ...(least === undefined || cpuShare === undefined
      ? []
      : [atLeast('% by CPU', rounded(cpuShare * 100), least)]),
    atMost('peak RSS MB', rounded(peakRssMegabytes), FEED_MEGABYTES),
  ];
}

async function leadRows(): Promise<Row[]> {
  return (await benchLeads()).map((figure) => {
    const percent = rounded(figure.share * 100);
    return {
      name: figure.name,
      values: {
        'leads/s': rounded(figure.leadsPerSecond),
        'bare express/s': rounded(figure.yardstickPerSecond),
        '% of bare': percent,
        'median ms': rounded(figure.medianMs, 2),
        'p99 ms': rounded(figure.p99Ms, 2),
      },
      goals: [atLeast('% of bare', percent, LEAD_PERCENT[figure.clients] ?? 0)],
    };
  });
}

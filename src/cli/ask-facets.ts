import type { Command } from 'commander';
import { isObject, listAt, numberAt, valueAt } from '../client/json-value.ts';
import { type FilterOptions, filtersFrom, withFilterOptions } from './ask-filters.ts';
import { type AskOptions, withAgent, withAskOptions } from './ask-options.ts';
import { askAndPrint } from './ask-reply.ts';
import { oneLine, terminalWidth, wrapWords } from './text-table.ts';

const WIDTH_OF_FILES = 100;

/** `ask facets`: what there is, counted (inventory.facets). */
export function addAskFacetsCommand(ask: Command): void {
  withFilterOptions(withAskOptions(ask.command('facets')))
    .summary('what is on the lot, counted')
    .description('Counts the values of every facet, over all vehicles or those that meet the filters.')
    .action((options: AskOptions & FilterOptions) => {
      const request = { filters: filtersFrom(options) };
      return withAgent(options, (opened) =>
        askAndPrint(opened, 'inventory.facets', request, options, showFacets),
      );
    });
}

function showFacets(data: unknown): string {
  if (!isObject(data) || Object.keys(data).length === 0) return 'No vehicle meets the filters.';
  return Object.entries(data)
    .map(
      ([name, facet]) =>
        `${oneLine(name)}\n${wrapWords(facetWords(facet), terminalWidth() ?? WIDTH_OF_FILES, '  ')}`,
    )
    .join('\n');
}

/** `Honda (12),` one for each value, or `12000 to 65000`. */
function facetWords(facet: unknown): string[] {
  if (!Array.isArray(facet))
    return [`${String(numberAt(facet, 'min'))} to ${String(numberAt(facet, 'max'))}`];
  const entries = listAt(facet);
  return entries.map((entry, index) => {
    const value = oneLine(String(valueAt(entry, 'value')));
    const end = index === entries.length - 1 ? '' : ',';
    return `${value} (${String(numberAt(entry, 'count'))})${end}`;
  });
}

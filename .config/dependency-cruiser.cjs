/**
 * Who may import whom (docs/architecture.md). The build breaks on a wrong arrow.
 * Each rule names a room and the only rooms of ours that it may look into.
 */
const room = (name, allowed, comment) => ({
  name: `${name}-looks-only-into-${allowed.join('-') || 'nothing'}`.replaceAll('/', '-'),
  comment,
  severity: 'error',
  from: { path: `^src/${name}/` },
  to: { path: '^(src|adapters)/', pathNot: [`^src/${name}/`, ...allowed.map((other) => `^src/${other}`)] },
});

module.exports = {
  forbidden: [
    room('model', [], 'pure words of the field, imported by everything'),
    room('files', [], 'renaming, removing and naming files so that Windows lets us'),
    room('documents', ['model/'], 'files that people write: YAML with positions, schema faults in words'),
    room('config', ['model/', 'documents/', 'adapters/'], 'bridge.yaml becomes Config'),
    room('adf', ['model/'], 'lead to ADF text, knows no transport'),
    room('adapters', ['model/', 'files/', 'documents/', 'adf/'], 'the contracts a vendor implements'),
    room(
      'feeds',
      ['model/', 'files/', 'documents/', 'adapters/', 'config/config.ts'],
      'the way in of a file',
    ),
    room('inventory', ['model/', 'config/config.ts'], 'what is on the lot'),
    room('leads', ['model/', 'files/', 'adapters/', 'config/config.ts'], 'the way out of a lead'),
    room('agent', ['model/', 'documents/', 'inventory/', 'leads/', 'config/config.ts'], 'the AAP face'),
    room('web', ['model/', 'agent/', 'config/config.ts', 'runtime/'], 'HTTP around the agent'),
    room('client', ['model/', 'documents/'], 'asks any AAP agent, as a buyer would'),
    room('runtime', ['model/', 'files/', 'config/config.ts'], 'logging and lifecycle'),
    {
      name: 'adapters-see-only-the-adapter-contract',
      comment: 'what a vendor can write, we write the same way',
      severity: 'error',
      from: { path: '^adapters/' },
      to: { path: '^src/', pathNot: '^src/adapters/' },
    },
    {
      name: 'adapters-do-not-see-each-other',
      severity: 'error',
      from: { path: '^adapters/([^/]+/[^/]+)/' },
      to: { path: '^adapters/', pathNot: '^adapters/$1/' },
    },
    {
      name: 'nothing-imports-the-composition-root',
      severity: 'error',
      from: { path: '^(src|adapters)/', pathNot: '^src/([^/]+\\.ts$|bridge/|cli/)' },
      to: { path: '^src/([^/]+\\.ts$|bridge/|cli/)' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans-to-tests',
      severity: 'error',
      from: { path: '^(src|adapters)/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs', '.json'] },
  },
};

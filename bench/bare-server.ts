/**
 * The yardstick: an express handler that stores each body in a commit of its own (synchronous=FULL) and answers with
 * as many bytes as the bridge does.
 */
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import express from 'express';

const [file = '', replyBytes = '0'] = process.argv.slice(2);
const database = new Database(file);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE bodies (id INTEGER PRIMARY KEY, received_at INTEGER, body TEXT NOT NULL) STRICT');
const insert = database.prepare('INSERT INTO bodies (received_at, body) VALUES (?, ?)');
const message = 'x'.repeat(Math.max(0, Number(replyBytes) - 45));

const app = express();
app.use(express.json());
app.post('/a2a', (request, response) => {
  const { lastInsertRowid } = insert.run(Date.now(), JSON.stringify(request.body));
  response.json({ id: Number(lastInsertRowid), status: 'received', message });
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

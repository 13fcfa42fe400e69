import Database from 'better-sqlite3';

/** leads.db as it is now, beside an older copy of it that is to take its place. */
export interface LaterLeads {
  /** Undamaged as a whole: then its word counts. */
  isSound: boolean;
  /** Received since the copy was made, oldest first; as far as the file can be read. */
  missing: { lead_id: string; received_at: number }[];
}

/** What would be lost with the present leads.db; undefined when it is not there or cannot be read at all. */
export function laterLeads(present: string, copy: string): LaterLeads | undefined {
  let later: Database.Database | undefined;
  const earlier = new Database(copy, { readonly: true, fileMustExist: true });
  try {
    later = openLater(present);
    if (later === undefined) return undefined;
    const known = earlier.prepare('SELECT 1 FROM leads WHERE lead_id = ?');
    const leads = later.prepare<[], LaterLeads['missing'][number]>(
      'SELECT lead_id, received_at FROM leads ORDER BY rowid',
    );
    const missing: LaterLeads['missing'] = [];
    try {
      for (const lead of leads.iterate()) if (known.get(lead.lead_id) === undefined) missing.push(lead);
    } catch {
      return { isSound: false, missing };
    }
    return { isSound: isSound(later), missing };
  } catch {
    return undefined;
  } finally {
    later?.close();
    earlier.close();
  }
}

/** For reading only. Undefined when it is not there or is no database. */
export function openLater(file: string): Database.Database | undefined {
  try {
    return new Database(file, { readonly: true, fileMustExist: true });
  } catch {
    return undefined;
  }
}

export function isSound(database: Database.Database): boolean {
  try {
    return database.pragma('integrity_check(1)', { simple: true }) === 'ok';
  } catch {
    return false;
  }
}

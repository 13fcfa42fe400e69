import { compileSource } from './cell-source.ts';
import type { FeedProfile } from '../../profile/feed-profile.ts';
import { normaliseWord } from '../../../model/vocabulary.ts';
import type { Rejection } from '../../records.ts';
import type { RowDraft } from './row-draft.ts';

/**
 * Words that mean one thing only. R is remove or replace, C create or change, S sold or sale, X anything: such
 * letters count where the profile says what they mean.
 */
const DELETE_WORDS = ['d', 'del', 'delete', 'deleted', 'remove', 'removed', 'sold'];
const UPSERT_WORDS = [
  ...['a', 'add', 'added', 'i', 'insert', 'inserted', 'new', 'u', 'upd', 'update', 'updated', 'upsert'],
  ...['change', 'changed', 'modify', 'modified', 'replace', 'replaced'],
];

/** What a row of a delta file asks for. A word that is not known refuses the row: it might mean "sold". */
export function compileAction(
  action: NonNullable<FeedProfile['action']>,
): (draft: RowDraft) => 'upsert' | 'delete' | Rejection {
  const source = compileSource(action.column);
  const deletes = new Set((action.delete ?? DELETE_WORDS).map((word) => normaliseWord(String(word))));
  const upserts = new Set((action.upsert ?? UPSERT_WORDS).map((word) => normaliseWord(String(word))));
  return (draft) => {
    const text = source.first(draft.cells)?.trim();
    if (text === undefined) return 'upsert';
    const word = normaliseWord(text);
    if (deletes.has(word)) return 'delete';
    return upserts.has(word) ? 'upsert' : draft.rejection('action_unknown', source, text);
  };
}

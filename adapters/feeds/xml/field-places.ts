/** Column, start and end of each text in turn; the column is negated (`~`) where the text is a CDATA section. */
export type Fields = readonly number[];

export const FIELD = 3;

/** In place of a field's number. */
export const NOWHERE = -1;

/**
 * Where the texts of each column stand among a record's fields. Worked out when something of a record is asked for, and
 * in arrays that the next record uses again: rows are looked at one after the other, each for some forty columns.
 */
export class FieldPlaces {
  #fields: Fields | undefined;
  /** By column: its first and last field, good only where the column has had its turn. */
  readonly #first: number[] = [];
  readonly #last: number[] = [];
  readonly #turnOfColumn: number[] = [];
  /** By field: the next one of its column. */
  readonly #next: number[] = [];
  #turn = 0;

  turnTo(fields: Fields): void {
    if (this.#fields === fields) return;
    this.#fields = fields;
    this.#turn += 1;
    const count = fields.length / FIELD;
    for (let place = 0; place < count; place++) {
      const column = columnAt(fields, place);
      if (this.#turnOfColumn[column] === this.#turn) this.#next[this.#last[column] ?? 0] = place;
      else this.#first[column] = place;
      this.#turnOfColumn[column] = this.#turn;
      this.#last[column] = place;
      this.#next[place] = NOWHERE;
    }
  }

  first(column: number): number {
    return this.#turnOfColumn[column] === this.#turn ? (this.#first[column] ?? NOWHERE) : NOWHERE;
  }

  next(place: number): number {
    return this.#next[place] ?? NOWHERE;
  }

  /** Each once, in the order of the record. */
  columns(): number[] {
    const fields = this.#fields ?? [];
    const columns: number[] = [];
    for (let place = 0; place < fields.length / FIELD; place++) {
      const column = columnAt(fields, place);
      if (this.first(column) === place) columns.push(column);
    }
    return columns;
  }
}

function columnAt(fields: Fields, place: number): number {
  const column = fields[place * FIELD] ?? 0;
  return column < 0 ? ~column : column;
}

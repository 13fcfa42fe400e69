import { writeFileSync } from 'node:fs';
import { REFERENCE, settingsReference } from './settings-reference.ts';

/** `npm run docs`: writes the parts of the documentation that are made from the program itself. */
writeFileSync(REFERENCE, await settingsReference());
console.log(REFERENCE);

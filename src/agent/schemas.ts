export { createSchemaValidator, readSchemaTexts } from '../documents/aap-schemas.ts';

/** In the working directory, unless the command line names another one. */
export const DEFAULT_DATA_FOLDER = 'data';

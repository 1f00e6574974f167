/** Replaces the contents of a folder, except the entries in `kept`, by those that `make` writes into the folder it gets. */
export declare const replaceFolder: (
  folder: string,
  kept: ReadonlyArray<string>,
  make: (folder: string) => void | Promise<void>
) => Promise<void>

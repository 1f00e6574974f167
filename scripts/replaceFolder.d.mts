/** Replaces the contents of a folder by the files that `make` writes into a new folder. Keeps the entries in `kept`. */
export declare const replaceFolder: (
  folder: string,
  kept: ReadonlyArray<string>,
  make: (folder: string) => void | Promise<void>
) => Promise<void>

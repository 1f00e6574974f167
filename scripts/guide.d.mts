/** The types of `guide.mjs`, which its test needs. */
export function copyWithGuide(): { readonly folder: string; readonly files: ReadonlyArray<string> }

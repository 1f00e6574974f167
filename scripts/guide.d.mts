/** The types of `guide.mjs`, for its test. */
export function copyWithGuide(): { readonly folder: string; readonly files: ReadonlyArray<string> }

/** Types for npm packages that have no types. The file declares only the functions that the pod uses. */
declare module "snowball-stemmers" {
  const snowball: {
    /** `language` is the English name of a language in lower case, such as `german`. */
    readonly newStemmer: (language: string) => { readonly stem: (word: string) => string }
  }
  export default snowball
}

declare module "stopword" {
  export const deu: ReadonlyArray<string>
  export const fra: ReadonlyArray<string>
  export const spa: ReadonlyArray<string>
}

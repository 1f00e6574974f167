/** Types of packages that bring none: only what the pod uses of them. */
declare module "snowball-stemmers" {
  const snowball: {
    /** `language`: lower case English name, such as `german`. */
    readonly newStemmer: (language: string) => { readonly stem: (word: string) => string }
  }
  export default snowball
}

declare module "stopword" {
  export const deu: ReadonlyArray<string>
  export const fra: ReadonlyArray<string>
  export const spa: ReadonlyArray<string>
}

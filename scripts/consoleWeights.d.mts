interface Weight {
  readonly name: string
  readonly gzipBytes: number
  readonly brotliBytes: number
}

export declare const consoleWeights: (console: string) => {
  readonly first: Weight
  readonly styles: Weight
  readonly lazy: ReadonlyArray<Weight>
}

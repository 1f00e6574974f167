/** The types of bundle.mjs, which the tests need. */
export interface BundleOptions {
  readonly addressOf?: (source: string) => string
  readonly external?: (id: string) => boolean
}

export const bundleModules: (
  input: Readonly<Record<string, string>>,
  folder: string,
  options?: BundleOptions
) => Promise<void>

export const bundlePod: (folder: string) => Promise<void>

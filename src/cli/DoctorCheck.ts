/** One check of `pod doctor`, with its result. */
export interface Check {
  readonly name: string
  readonly state: "ok" | "warning" | "failed"
  readonly detail: string
}

export const ok = (name: string, detail: string): Check => ({ name, state: "ok", detail })
export const warning = (name: string, detail: string): Check => ({ name, state: "warning", detail })
export const failed = (name: string, detail: string): Check => ({ name, state: "failed", detail })

/** One check of `pod doctor`, with its result. */
export interface Check {
  readonly name: string
  readonly state: "ok" | "warning" | "failed"
  readonly detail: string
}

export const okCheck = (name: string, detail: string): Check => ({ name, state: "ok", detail })
export const warningCheck = (name: string, detail: string): Check => ({ name, state: "warning", detail })
export const failedCheck = (name: string, detail: string): Check => ({ name, state: "failed", detail })

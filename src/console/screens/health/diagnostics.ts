/** Describes the state of the pod for a bug report. Leaves out secrets, e-mail addresses, network addresses and ids. */
const replacements: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bsvc_[a-z_]*[A-Za-z0-9_-]{8,}/g, "(key)"],
  [/\bwhsec_[A-Za-z0-9+/=_-]+/g, "(secret)"],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]+/gi, "$1 (secret)"],
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, "(address)"],
  [/[^\s"'<>@]+@[^\s"'<>@]+\.[a-z]{2,}/gi, "(e-mail)"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "(id)"],
  [/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, "(address)"],
  [/\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|local|internal|lan|example)(:\d+)?\b/gi, "(host)"]
]

const secretNames = /secret|token|password|key|pepper|credential/i

const inText = (text: string): string =>
  replacements.reduce((result, [form, instead]) => result.replaceAll(form, instead), text)

/**
 * The value without secrets, addresses, e-mail addresses and ids, at every depth. For a secret, the result shows only
 * that it is set.
 */
export const redact = (value: unknown, name = ""): unknown => {
  if (typeof value === "string") return secretNames.test(name) && value !== "" ? "(set)" : inText(value)
  if (Array.isArray(value)) return value.map((each) => redact(each, name))
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([each, inner]) => [inText(each), redact(inner, each)]))
  }
  return value
}

/** The state of the pod as JSON without secrets. A person pastes this text into a bug report. */
export const diagnosticsOf = (parts: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(redact(parts), undefined, 2)

/** The calls with which the sample is made and removed, and what they read from the answers. */

/** Calls the pod as its owner, or with a key. Rejects if the pod refuses. */
export type SampleCaller = (method: string, path: string, body?: unknown, key?: string) => Promise<unknown>

export const hub = "/api/hub"

/** Returns a field of an answer. Returns undefined if the answer has no such field. */
export const field = (answer: unknown, name: string): unknown =>
  typeof answer === "object" && answer !== null ? Reflect.get(answer, name) : undefined

/** Returns a text field of an answer. Throws if the answer has no such text. */
export const text = (answer: unknown, name: string): string => {
  const value = field(answer, name)
  if (typeof value !== "string") throw new Error(`The pod answered no ${name}: ${JSON.stringify(answer).slice(0, 200)}`)
  return value
}

/** Returns the function that calls a procedure and returns its data. */
export const procedureOf = (call: SampleCaller) => async (name: string, input: unknown) =>
  field(field(await call("POST", `/trpc/${name}`, input), "result"), "data")

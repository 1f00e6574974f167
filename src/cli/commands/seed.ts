/**
 * `pod seed`: makes the sample data with the calls that a person and an agent would make, or removes the sample data.
 */
import { Cause, Effect, Option, Runtime } from "effect"
import { CliFailure } from "../CliFailure.ts"
import { group, leaf, leafThatAsks } from "../CommandTree.ts"
import { Globals } from "../Globals.ts"
import { httpCall } from "../HttpCall.ts"
import { Output } from "../Output.ts"
import { PodClient } from "../PodClient.ts"
import { refusalOf } from "../Refusals.ts"

const sample = Effect.promise(() => import("../../shared/Sample.ts"))

const caller = Effect.gen(function* () {
  const { connection } = yield* PodClient
  const { credential, isKey, place } = yield* connection
  if (isKey) {
    return yield* new CliFailure({
      exit: "refused",
      code: "PEOPLE_ONLY",
      message: "Only a person can add the sample data. Sign in, or run `pod seed demo` on the machine of the pod."
    })
  }
  const { timeoutMs } = yield* Globals
  const run = Runtime.runPromise(yield* Effect.runtime())
  const { contentOf } = yield* Effect.promise(() => import("../../seed/SeedCall.ts"))
  return async (method: string, path: string, body?: unknown, key?: string): Promise<unknown> => {
    const answer = await run(
      httpCall(place, {
        method,
        path,
        headers: {
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(key === undefined ? credential : { authorization: `Bearer ${key}` })
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        timeoutMs
      })
    )
    const refused = answer.status >= 200 && answer.status < 300 ? undefined : refusalOf(answer, bodyOf(answer.text))
    if (refused !== undefined) throw refused
    return contentOf(method, path, answer)
  }
})

const bodyOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Finds the failure of the command line in the reason of a rejected promise. Returns undefined if the reason is
 * something else.
 */
const failureIn = (cause: unknown): CliFailure | undefined => {
  const failure = Runtime.isFiberFailure(cause)
    ? Option.getOrUndefined(Cause.failureOption(cause[Runtime.FiberFailureCauseId]))
    : cause
  return failure instanceof CliFailure ? failure : undefined
}

const attempt = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) =>
      failureIn(cause) ??
      new CliFailure({
        exit: "unexpected",
        code: "SAMPLE_FAILED",
        message: cause instanceof Error ? cause.message : String(cause)
      })
  })

const demo = leaf(
  "demo",
  {
    summary: "Add the sample workspace “Acme demo”, with an agent, its proposals, events and a webhook.",
    examples: ["pod seed demo"]
  },
  {},
  Effect.fnUntraced(function* () {
    const call = yield* caller
    const { findSample, makeSample } = yield* sample
    if ((yield* attempt(() => findSample(call))) !== undefined) {
      return yield* new CliFailure({
        exit: "conflict",
        code: "SAMPLE_THERE",
        message: "The sample data already exists. To remove the sample data, run `pod seed remove`."
      })
    }
    const result = yield* attempt(() => makeSample(call))
    const output = yield* Output
    output.data(result, {
      text: ({ events, facts, knowledge, projects, proposals }) =>
        `Made “Acme demo”: ${knowledge} knowledge entries, ${projects} projects, ${events} events, ${facts} facts, ${proposals} proposals that wait.`
    })
    output.note("To look at the proposals: pod proposals list. To remove all sample data: pod seed remove")
  })
)

const remove = leafThatAsks(
  "remove",
  {
    summary: "Remove the sample data. Only for the owner of the pod.",
    confirmation: { because: "everything in the sample workspace is deleted, also what people have added to it" },
    examples: ["pod seed remove", "pod seed remove --yes"]
  },
  {},
  Effect.fnUntraced(function* (_, ask) {
    const call = yield* caller
    yield* ask("Remove the sample workspace with everything in it?")
    const { removeSample } = yield* sample
    const removed = yield* attempt(() => removeSample(call))
    const output = yield* Output
    output.data({ removed }, { text: () => (removed ? "The sample data is removed." : "This pod has no sample data.") })
  })
)

export const seed = group("seed", "Add sample data to look at, or remove the sample data.", [demo, remove])

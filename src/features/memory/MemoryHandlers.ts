/**
 * The handlers of memory facts. They pass each call of a Hub endpoint or a tool to the service and return its result.
 */
import { Effect, Layer } from "effect"
import { implement, implementTools } from "../../doors/Implement.ts"
import { repeatableTool } from "../../doors/RepeatableTool.ts"
import { leanFacts } from "./LeanRecall.ts"
import { Memory } from "./Memory.ts"
import { MemoryApi } from "./MemoryApi.ts"
import { MemoryFact } from "./MemoryFact.ts"
import { MemoryTools } from "./MemoryTools.ts"

const rest = implement(
  MemoryApi,
  Effect.map(Memory, (memory) => ({
    "memory.list": ({ urlParams }) => memory.list(urlParams),
    "memory.create": ({ payload }) => memory.remember(payload),
    "memory.recall": ({ urlParams }) => memory.explain(urlParams),
    "memory.search": ({ payload }) => memory.similar(payload),
    "memory.turns": ({ payload }) => memory.rememberTurns(payload),
    "memory.sessions": ({ payload }) => memory.rememberSession(payload),
    "memory.writes": ({ payload }) => memory.write(payload),
    "memory.forgetPreview": ({ payload }) => memory.wouldForget(payload),
    "memory.forget": ({ payload }) => memory.forget(payload),
    "memory.history": ({ path, urlParams }) => memory.history(path.id, urlParams),
    "memory.restore": ({ path }) => memory.restore(path.id),
    "memory.delete": ({ path }) => Effect.map(memory.remove(path.id), (success) => ({ success }))
  }))
)

const tools = implementTools(
  MemoryTools,
  Effect.gen(function* () {
    const memory = yield* Memory
    const once = yield* repeatableTool
    return {
      svc_remember_fact: ({ category, confidence, fact, idempotencyKey: key, userStated }) => {
        const note = { category, confidence, fact, userStated }
        if (key === undefined) return memory.note(note)
        const write = { tool: "svc_remember_fact", key, input: note, schema: MemoryFact }
        return Effect.map(once(write, memory.note(note)), ({ result: fact }) => fact)
      },
      svc_recall: ({ tokenBudget, ...question }) =>
        Effect.map(memory.recall(question), (hits) => leanFacts(hits, tokenBudget))
    }
  })
)

export const layer = Layer.merge(rest, tools)

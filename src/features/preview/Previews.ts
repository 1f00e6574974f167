/** Previews of grants. Nothing decides here: doors, matcher and ladder are asked about a key that does not exist yet. */
import { Context, Effect, Layer } from "effect"
import { Catalog, type CatalogShape } from "../../doors/Catalog.ts"
import type { Door, Subject } from "../../doors/Door.ts"
import { type Failure, Forbidden, invalid } from "../../doors/Failure.ts"
import type { Operation } from "../../doors/Operation.ts"
import type { Principal } from "../../doors/Principal.ts"
import { Reach, type ReachShape } from "../../doors/Reach.ts"
import { refusalAt } from "../access/Admission.ts"
import { changeOf, Changers } from "../governance/Changers.ts"
import { codeOf } from "../governance/Rungs.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import type { GatedWrite } from "../governance/Write.ts"
import { boundsOf } from "../grants/Grant.ts"
import { boundsFor } from "../grants/GrantMatcher.ts"
import { summaryOf } from "../keys/Key.ts"
import { Keys } from "../keys/Keys.ts"
import { People } from "../people/People.ts"
import type { GrantPreview, PreviewInput, Question } from "./Preview.ts"

const samplesMost = 5 // rows of each type
const scopesDefault = ["hub-protocol.read", "hub-protocol.write", "mcp.read", "mcp.write"]

type Answer = NonNullable<GrantPreview["can"]>

const allowed: Answer = { verdict: "allow", code: null, reason: null }
const refused = (refusal: Forbidden): Answer => ({ verdict: "deny", code: refusal.code, reason: refusal.why })
const absent: Answer = { verdict: "deny", code: "NOT_FOUND", reason: "There is no such object for this key." }

const operationsOf = ({ procedures, rest, tools }: CatalogShape) => [
  ...rest.map((operation) => ({ surface: "rest" as const, operation: operation as Operation })),
  ...[...procedures.values()].map((operation) => ({
    surface: "procedure" as const,
    operation: operation as Operation
  })),
  ...[...tools.values()].map((operation) => ({ surface: "tool" as const, operation: operation as Operation }))
]

export class Previews extends Context.Tag("pod/Previews")<
  Previews,
  {
    /** Fails as minting a key with this grant would: with Forbidden or Invalid. */
    readonly of: (input: PreviewInput) => Effect.Effect<GrantPreview, Failure, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const catalog = yield* Catalog
      const changers = yield* Changers
      const gate = yield* GovernanceGate
      const keys = yield* Keys
      const people = yield* People

      /** The key as it would call. */
      const callerOf = (input: PreviewInput) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          const grant = yield* keys.check(input.grant, input.workspaceId)
          const agent = input.agentId === undefined ? undefined : yield* people.agentGiven(input.agentId)
          const draft: Principal = {
            ...principal,
            credential: { kind: "key", id: principal.credential.id },
            holder:
              agent === undefined
                ? principal.holder
                : { id: agent.id, kind: "agent", capabilities: agent.capabilities },
            scopes: input.scope ?? scopesDefault,
            grant: boundsOf(grant),
            workspaceId: input.workspaceId ?? null
          }
          return draft
        })

      /** The reach it would have; the person's own session stands behind the statements. */
      const reachOf = (reach: ReachShape, draft: Principal): ReachShape => ({
        ...reach,
        principal: draft,
        bounds: (subject, action) => boundsFor(draft, subject, action)
      })

      const changerFor = (question: Question, subject: string) => {
        const changer = changers.of(question.objectType ?? subject)
        return changer === undefined
          ? Effect.fail(invalid("can.objectType", "Say what the object is."))
          : Effect.succeed(changer)
      }

      const mayWrite = (draft: Principal, question: Question, subject: string, actions: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          for (const action of actions as ReadonlyArray<GatedWrite["action"]>) {
            const spaceId = question.workspaceId ?? principal.personId
            const isPersonal = spaceId === principal.personId
            const described: Omit<GatedWrite, "action"> | undefined =
              question.objectId === undefined || action === "create"
                ? {
                    subject: subject as GatedWrite["subject"],
                    kind: subject === "entity" ? (question.kind ?? "note") : null,
                    object: { spaceId, isPersonal, objectId: null, projectIds: [] }
                  }
                : yield* Effect.flatMap(changerFor(question, subject), (changer) =>
                    Effect.option(
                      changeOf(subject, changer, { action, targetId: question.objectId!, spaceId, content: {} })
                    )
                  ).pipe(Effect.map((found) => (found._tag === "Some" ? found.value : undefined)))
            if (described === undefined) return absent
            const verdict = yield* gate.judge(draft, { ...described, action })
            if (verdict.verdict !== "allow") {
              return { verdict: verdict.verdict, code: codeOf(verdict.rung), reason: verdict.reason }
            }
          }
          return allowed
        })

      const mayRead = (draft: Principal, question: Question, subject: Subject) =>
        Effect.gen(function* () {
          if (question.objectId === undefined) return allowed
          const reach = yield* Reach
          const changer = yield* changerFor(question, subject)
          const spaceId = question.workspaceId ?? null
          const current = yield* Effect.provideService(
            changer.current(question.objectId, spaceId),
            Reach,
            reachOf(reach, draft)
          )
          return current === null ? absent : allowed
        })

      /** What is decided on the object, past a door that lets the key in. */
      const behind = (door: Door, draft: Principal, question: Question): Effect.Effect<Answer, Failure, Reach> => {
        switch (door._tag) {
          case "Public":
          case "Session":
          case "Self":
          case "EveryKind":
          case "FullGrant":
            return Effect.succeed(allowed)
          case "Rows":
            return mayRead(draft, question, door.subject)
          case "Write":
            return mayWrite(draft, question, door.subject, door.actions)
        }
      }

      const can = (draft: Principal, question: Question) =>
        Effect.gen(function* () {
          const found = operationsOf(yield* catalog.compiled).find(
            ({ operation }) => operation.name === question.operation
          )
          if (found === undefined) return yield* invalid("can.operation", "There is no such operation.")
          const { door } = found.operation
          const refusal = refusalAt(draft, door)
          return refusal === null ? yield* behind(door, draft, question) : refused(refusal)
        })

      return {
        of: (input) =>
          Effect.gen(function* () {
            const draft = yield* callerOf(input)
            const reach = yield* Reach
            const seen = yield* Effect.forEach(changers.all(), ([type, { overview }]) =>
              overview === undefined
                ? Effect.succeed({ type, counts: [], samples: [] })
                : Effect.map(overview(samplesMost), (found) => ({ type, ...found }))
            ).pipe(Effect.provideService(Reach, reachOf(reach, draft)))
            const operations = operationsOf(yield* catalog.compiled)
            return {
              summary: summaryOf({ grant: { ...draft.grant!, label: null }, workspaceId: draft.workspaceId }),
              counts: seen.flatMap(({ counts, type }) => counts.map((count) => ({ type, ...count }))),
              samples: seen.flatMap(({ samples, type }) => samples.map((sample) => ({ type, ...sample }))),
              doors: operations.map(({ operation, surface }) => {
                const refusal = refusalAt(draft, operation.door)
                return {
                  surface,
                  operation: operation.name,
                  isOpen: refusal === null,
                  code: refusal?.code ?? null,
                  reason: refusal?.why ?? null
                }
              }),
              can: input.can === undefined ? null : yield* can(draft, input.can)
            }
          })
      }
    })
  )
}

/** The steps that can happen to proposals, and how random sequences of them are generated. */
import fc from "fast-check"
import { callerSpecs, type Kind, type ProjectName, type SpaceName } from "./smallWorld.ts"

export interface CreateFields {
  readonly space: SpaceName
  readonly kind: Kind
  readonly title: string
  readonly project?: ProjectName
  readonly text?: string
}

/** How an edit changes the content of a proposal. */
export type ContentEdit =
  | { readonly to: "same" }
  | { readonly to: "title" | "description"; readonly value: string }
  | { readonly to: "kind"; readonly value: Kind }
  | { readonly to: "project"; readonly value: ProjectName }
  | { readonly to: "text"; readonly value: string }
  | { readonly to: "private" }
  | { readonly to: "untitled" }

/**
 * One step. It refers to entities, proposals and rules by numbers. A number that is too high still refers to an
 * existing entity, proposal or rule.
 */
export type Step =
  | {
      readonly does: "update"
      readonly by: number
      readonly thing: number
      readonly field: Field
      readonly value: string
    }
  | { readonly does: "create"; readonly by: number; readonly making: CreateFields }
  | { readonly does: "delete"; readonly by: number; readonly thing: number }
  | {
      readonly does: "fileUpdate"
      readonly by: number
      readonly thing: number
      readonly field: Field
      readonly value: string
    }
  | { readonly does: "fileDelete"; readonly by: number; readonly thing: number }
  | { readonly does: "fileCreate"; readonly by: number; readonly making: CreateFields }
  | { readonly does: "command"; readonly by: number; readonly name: string; readonly isPrivate: boolean }
  | {
      readonly does: "edit"
      readonly by: number
      readonly proposal: number
      readonly turn: ContentEdit
      readonly isSummarised: boolean
    }
  | { readonly does: "approve"; readonly by: number; readonly proposal: number; readonly seen: SeenPart }
  | { readonly does: "reject"; readonly by: number; readonly proposal: number }
  | { readonly does: "revert"; readonly by: number; readonly proposal: number }
  | { readonly does: "fileIn" | "takeOut"; readonly thing: number; readonly project: ProjectName }
  | { readonly does: "rule"; readonly pattern: string; readonly kind: Kind | null; readonly says: "auto" | "propose" }
  | { readonly does: "forgetRule"; readonly rule: number }
  | { readonly does: "capabilities"; readonly capabilities: ReadonlyArray<string> }
  | { readonly does: "revokeKey"; readonly of: number }

type Field = "title" | "description"
/** The part of the proposal that the person has read, according to the approval. */
export type SeenPart = "nothing" | "the content" | "the first content" | "the revision"

const pick = <A>(...values: ReadonlyArray<A>) => fc.constantFrom(...values)
const at = (most: number) => fc.nat(most - 1)

const caller = at(callerSpecs.length)
const agents = callerSpecs.flatMap(({ isAgent }, index) => (isAgent ? [index] : []))
const people = callerSpecs.flatMap(({ isAgent }, index) => (isAgent ? [] : [index]))
const anAgent = fc.oneof({ weight: 6, arbitrary: pick(...agents) }, { weight: 1, arbitrary: pick(...people) })
const aPerson = fc.oneof({ weight: 9, arbitrary: pick(...people) }, { weight: 1, arbitrary: caller })
const anybody = fc.oneof(anAgent, aPerson)
/** The number of an entity: one of the first entities, or the entity that was created last. */
const thing = at(6)
const proposal = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: at(4) })
const value = pick("x", "y", "z")
const field = pick<Field>("title", "description")
const project = pick<ProjectName>("first", "second")
const kind = pick<Kind>("note", "task")

const making: fc.Arbitrary<CreateFields> = fc.record(
  {
    space: fc.oneof(
      { weight: 8, arbitrary: fc.constant<SpaceName>("shared") },
      { weight: 2, arbitrary: pick<SpaceName>("home", "other") }
    ),
    kind,
    title: value,
    project,
    text: pick("words")
  },
  { requiredKeys: ["space", "kind", "title"] }
)

const turn: fc.Arbitrary<ContentEdit> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<ContentEdit>({ to: "same" }) },
  { weight: 4, arbitrary: fc.record({ to: pick("title" as const, "description" as const), value }) },
  { weight: 1, arbitrary: fc.record({ to: fc.constant("kind" as const), value: kind }) },
  { weight: 2, arbitrary: fc.record({ to: fc.constant("project" as const), value: project }) },
  { weight: 1, arbitrary: fc.record({ to: fc.constant("text" as const), value: pick("words", "other words") }) },
  { weight: 1, arbitrary: fc.constant<ContentEdit>({ to: "private" }) },
  { weight: 1, arbitrary: fc.constant<ContentEdit>({ to: "untitled" }) }
)

const does = <const D extends string>(word: D) => fc.constant(word)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: does("update"), by: anybody, thing, field, value }) },
  { weight: 3, arbitrary: fc.record({ does: does("create"), by: anAgent, making }) },
  { weight: 2, arbitrary: fc.record({ does: does("delete"), by: anybody, thing }) },
  { weight: 2, arbitrary: fc.record({ does: does("fileUpdate"), by: anAgent, thing, field, value }) },
  { weight: 1, arbitrary: fc.record({ does: does("fileDelete"), by: anAgent, thing }) },
  { weight: 2, arbitrary: fc.record({ does: does("fileCreate"), by: anAgent, making }) },
  { weight: 1, arbitrary: fc.record({ does: does("command"), by: anybody, name: value, isPrivate: fc.boolean() }) },
  {
    weight: 7,
    arbitrary: fc.record({
      does: does("edit"),
      by: anybody,
      proposal,
      turn,
      isSummarised: fc.nat(9).map((n) => n === 0)
    })
  },
  {
    weight: 7,
    arbitrary: fc.record({
      does: does("approve"),
      by: aPerson,
      proposal,
      seen: pick<SeenPart>("nothing", "the content", "the content", "the first content", "the revision")
    })
  },
  { weight: 2, arbitrary: fc.record({ does: does("reject"), by: anybody, proposal }) },
  { weight: 6, arbitrary: fc.record({ does: does("revert"), by: aPerson, proposal }) },
  { weight: 3, arbitrary: fc.record({ does: pick("fileIn" as const, "takeOut" as const), thing, project }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: does("rule"),
      pattern: pick("entity.update", "entity.create", "entity.*", "*", "command.create"),
      kind: fc.option(kind, { nil: null }),
      says: pick("auto" as const, "propose" as const)
    })
  },
  { weight: 1, arbitrary: fc.record({ does: does("forgetRule"), rule: at(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: does("capabilities"),
      capabilities: pick<ReadonlyArray<string>>([], ["entity.note"], ["entity", "project", "relation"], ["*"])
    })
  },
  { weight: 1, arbitrary: fc.record({ does: does("revokeKey"), of: pick(...callerSpecs.keys()) }) }
)

export const stepsMax = 12

/** The first step of a sequence: an agent makes a proposal. Most later steps apply to a proposal of an agent. */
const asking: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: does("update"), by: pick(...agents), thing: at(3), field, value }) },
  { weight: 4, arbitrary: fc.record({ does: does("create"), by: pick(...agents), making }) },
  { weight: 1, arbitrary: fc.record({ does: does("delete"), by: pick(...agents), thing: at(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: does("command"), by: pick(...agents), name: value, isPrivate: fc.constant(false) })
  }
)

export const sequence = fc
  .tuple(asking, fc.array(step, { maxLength: stepsMax - 1, size: "max" }))
  .map(([first, rest]) => [first, ...rest])

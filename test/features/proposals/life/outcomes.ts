/** The outcome of a step in the model: the expected answer, and the state after the step. */
import type { StepResult } from "./modelProposals.ts"
import type { Content, State, Thing, ModelCaller, ModelProposal, ThingTexts } from "./state.ts"
import type { CreateFields, Step } from "./steps.ts"

/** The ids of what the pod created in a step. */
export interface CreatedIds {
  readonly id: string
  readonly proposalId: string
}

export type Outcome = readonly [StepResult, State]
export type Of<D extends Step["does"]> = Step & { readonly does: D }

export const thingAt = ({ things }: State, at: number): Thing => things[Math.min(at, things.length - 1)]
/** Returns the proposal at this position, counted back from the latest (0). */
export const proposalAt = ({ wishes }: State, at: number): ModelProposal => wishes[Math.max(0, wishes.length - 1 - at)]

export const withThing = (state: State, of: Thing, change: Partial<Thing>): State => ({
  ...state,
  things: state.things.map((thing) => (thing === of ? { ...thing, ...change } : thing))
})
export const withProposal = (state: State, of: ModelProposal, change: Partial<ModelProposal>): State => ({
  ...state,
  wishes: state.wishes.map((wish) => (wish === of ? { ...wish, ...change } : wish))
})

export const textsOf = ({ description, title }: ThingTexts): ThingTexts => ({ title, description })
export const baseOf = (thing: Thing) => ({ version: thing.version, words: textsOf(thing) })

export const summaryOf = (
  of: ModelProposal["of"],
  action: ModelProposal["action"],
  content: Content,
  thing: Thing | undefined
): string => {
  if (of === "command") return `Create command “${content.name}”`
  if (thing === undefined) return `Create ${content.profileSlug ?? "note"} “${content.title}”`
  return `${action === "update" ? "Change" : "Delete"} ${thing.kind} “${thing.title}”`
}

export const spaceOf = (state: State, { person }: ModelCaller, space: CreateFields["space"]) =>
  space === "home" ? person.id : state.ids.spaces[space]

/** True if the project in the content exists in the space of the record, or if the content has no project. */
export const projectExists = ({ ids }: State, content: Content, spaceId: string) =>
  content.projectId === undefined || spaceId === ids.spaces.shared

export const withNewThing = (state: State, id: string, spaceId: string, kind: string, content: Content): State => ({
  ...state,
  things: [
    ...state.things,
    {
      id,
      spaceId,
      kind,
      projectIds: content.projectId === undefined ? [] : [content.projectId],
      title: content.title ?? "",
      description: content.description ?? null,
      version: 1,
      isGone: false
    }
  ]
})

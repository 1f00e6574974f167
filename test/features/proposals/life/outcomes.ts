/** The outcome of a step: the expected answer, and the state after it. */
import type { Heard } from "./wishes.ts"
import type { Content, State, Thing, Who, Wish, Words } from "./state.ts"
import type { Making, Step } from "./steps.ts"

/** The ids of what the pod created in a step. */
export interface Made {
  readonly id: string
  readonly proposalId: string
}

export type Outcome = readonly [Heard, State]
export type Of<D extends Step["does"]> = Step & { readonly does: D }

export const thingAt = ({ things }: State, at: number): Thing => things[Math.min(at, things.length - 1)]
/** The position counts from the latest. */
export const wishAt = ({ wishes }: State, at: number): Wish => wishes[Math.max(0, wishes.length - 1 - at)]

export const within = (state: State, of: Thing, change: Partial<Thing>): State => ({
  ...state,
  things: state.things.map((thing) => (thing === of ? { ...thing, ...change } : thing))
})
export const rewished = (state: State, of: Wish, change: Partial<Wish>): State => ({
  ...state,
  wishes: state.wishes.map((wish) => (wish === of ? { ...wish, ...change } : wish))
})

export const words = ({ description, title }: Words): Words => ({ title, description })
export const baseOf = (thing: Thing) => ({ version: thing.version, words: words(thing) })

export const summaryOf = (
  of: Wish["of"],
  action: Wish["action"],
  content: Content,
  thing: Thing | undefined
): string => {
  if (of === "command") return `Create command “${content.name}”`
  if (thing === undefined) return `Create ${content.profileSlug ?? "note"} “${content.title}”`
  return `${action === "update" ? "Change" : "Delete"} ${thing.kind} “${thing.title}”`
}

export const spaceOf = (state: State, { person }: Who, space: Making["space"]) =>
  space === "home" ? person.id : state.ids.spaces[space]

/** Whether the project that a content names exists in the space of the record. */
export const namesWhatIsThere = ({ ids }: State, content: Content, spaceId: string) =>
  content.projectId === undefined || spaceId === ids.spaces.shared

export const born = (state: State, id: string, spaceId: string, kind: string, content: Content): State => ({
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

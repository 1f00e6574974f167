/** What clients can know about the types of views before they make one: what each type is for, and its settings. */
import { ViewType } from "./View.ts"

interface TypeUse {
  readonly when: string
  /** The names in `config` that the pod's templates for workspaces use. A client can store other names. */
  readonly configKeys: ReadonlyArray<string>
}

const uses: Readonly<Record<typeof ViewType.Type, TypeUse>> = {
  table: { when: "Many records whose properties people compare.", configKeys: ["columns"] },
  list: { when: "Records that people read one below the other.", configKeys: [] },
  grid: { when: "Records as cards of one size.", configKeys: [] },
  gallery: { when: "Records that have pictures.", configKeys: [] },
  kanban: { when: "Records with a state, such as tasks, as a board.", configKeys: ["groupBy"] },
  matrix: { when: "Records that people sort by two properties.", configKeys: [] },
  masonry: { when: "Records as cards whose height follows their text.", configKeys: [] },
  calendar: { when: "Records with a date.", configKeys: ["dateProperty"] },
  flow: { when: "Steps that follow each other.", configKeys: [] },
  bento: { when: "A page of several widgets.", configKeys: ["widgets"] },
  branch_tree: { when: "Threads and their branches.", configKeys: [] },
  whiteboard: { when: "Records that people place freely.", configKeys: [] }
}

// No view can have these types. Clients see that from the entries of these types in the list.
const unknownTypes = ["timeline", "graph", "gantt", "mindmap"]

export const viewTypes = [
  ...ViewType.literals.map((type) => ({ type, implemented: true, ...uses[type] })),
  ...unknownTypes.map((type) => ({ type, implemented: false, when: "Not in this pod.", configKeys: [] }))
]

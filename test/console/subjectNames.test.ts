/** Tests which name the console shows for the record that an event is about. */
import { assert, describe, it } from "vitest"
import { type EventOfSubject, subjectNames, subjectText } from "../../src/console/screens/events/subjectNames.ts"

const id = "0198c1d2-0000-7000-8000-0000ae066b38"
const other = "0198c1d2-0000-7000-8000-0000ae066b39"
const about = (type: string, data: EventOfSubject["data"], subjectId: string | undefined = id): EventOfSubject => ({
  type,
  data,
  subjectId,
  subjectType: type.split(".")[0]
})
/** Returns the text for the record of each event. The names of the records can come from any of these events. */
const texts = (...events: ReadonlyArray<EventOfSubject>) => {
  const names = subjectNames(events)
  return events.map((event) => subjectText(event, names.get(event.subjectId ?? "")))
}

describe("the name of the record that an event is about", () => {
  it("if an event has no name for its record, the console shows the end of the record's id", () => {
    assert.deepStrictEqual(texts(about("entity.note.update", { profileSlug: "note" })), ["entity ae066b38"])
    assert.deepStrictEqual(texts(about("role.update", { title: "", name: 7 })), ["role ae066b38"])
  })

  it("the console reads the name of a record from the field `key` of an event only if the record is a knowledge entry", () => {
    assert.deepStrictEqual(texts(about("entity.knowledge.update", { key: "sales.may" })), ["entity sales.may"])
    assert.deepStrictEqual(texts(about("my.happened", { key: "sales.may" })), ["my ae066b38"])
  })

  it("if an event is about no record, the console names no record for the event", () => {
    const { subjectId: _, ...without } = about("my.happened", { title: "Plan" })
    assert.deepStrictEqual(texts(without), [undefined])
  })

  it("the event of a refused call is about no record, so the console shows the operation that was refused", () => {
    const { subjectId: _, ...refused } = about("access.refused", { operation: "documents.list" })
    assert.deepStrictEqual(texts(refused), ["documents.list"])
  })

  it("the console names the record of an event by the field `title`, `name` or `keyName` in the data of the event", () => {
    assert.deepStrictEqual(texts(about("entity.note.create", { title: "Plan" })), ["entity Plan"])
    assert.deepStrictEqual(texts(about("workspace.create", { name: "Acme" })), ["workspace Acme"])
    assert.deepStrictEqual(texts(about("apiKey.create", { keyName: "Laptop" })), ["apiKey Laptop"])
    assert.deepStrictEqual(texts(about("role.create", { before: null, after: { name: "Reader" } })), ["role Reader"])
    assert.deepStrictEqual(texts(about("role.delete", { before: { name: "Reader" }, after: null })), ["role ae066b38"])
  })

  it("if the event of an update contains no name, the console shows the latest name that another event has for the same record", () => {
    const events = [
      about("entity.note.update", {}),
      about("document.update", { title: "New plan" }),
      about("document.update", {}, other),
      about("document.create", { title: "Plan" })
    ]
    assert.deepStrictEqual(texts(...events), [
      "entity New plan",
      "document New plan",
      "document ae066b39",
      "document New plan"
    ])
  })

  it("the console shows an escape in place of a character that changes the direction of text in the name of a record", () => {
    assert.notInclude(texts(about("entity.note.create", { title: "a\u202eb" }))[0], "\u202e")
  })
})

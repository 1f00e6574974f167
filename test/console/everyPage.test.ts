/** Tests how the console reads a long list page by page. */
import { assert, describe, it } from "vitest"
import { everyPage, manyPages, type PagePlace, pagesQuery } from "../../src/console/api/everyPage.ts"

interface Row {
  readonly id: string
}

/** A list with this many rows. Its cursor is the id of the last row of a page. Before each page, it gets a new first row. */
const growingList = (rowCount: number) => {
  const rows: Array<Row> = Array.from({ length: rowCount }, (_, at) => ({ id: `row ${at}` }))
  const asked: Array<PagePlace> = []
  const read = ({ limit, cursor }: PagePlace) => {
    asked.push(cursor === undefined ? { limit } : { limit, cursor })
    if (asked.length > 1) rows.unshift({ id: `new ${asked.length}` })
    const begin = cursor === undefined ? 0 : rows.findIndex(({ id }) => id === cursor) + 1
    const answer = rows.slice(begin, begin + limit)
    return Promise.resolve({ answer, next: begin + limit < rows.length ? answer.at(-1)?.id : undefined })
  }
  return { asked, listed: { atOnce: 10, read } }
}

const signal = new AbortController().signal

describe("reading a long list of the pod", () => {
  it("if the pod refuses a later page of a list, the console cannot read the whole list and reports a failure", async () => {
    const { listed } = growingList(25)
    const refusing = {
      ...listed,
      read: (page: PagePlace) => (page.cursor === undefined ? listed.read(page) : Promise.reject(new Error("refused")))
    }
    const failure = await everyPage(refusing, signal).then(
      () => "read",
      ({ message }: Error) => message
    )
    assert.strictEqual(failure, "refused")
  })

  it("to read a whole list, the console follows the cursors, and reads each row once although rows are added", async () => {
    const { asked, listed } = growingList(25)
    const ids = (await everyPage(listed, signal)).map(({ id }) => id)
    assert.deepStrictEqual(asked, [{ limit: 10 }, { limit: 10, cursor: "row 9" }, { limit: 10, cursor: "row 19" }])
    assert.deepStrictEqual(
      ids,
      Array.from({ length: 25 }, (_, at) => `row ${at}`)
    )
  })

  it("the console loads no more pages when it has the maximum number of rows, and says that there are further rows", async () => {
    const { answer, next } = await manyPages(growingList(25).listed, 15)
    assert.deepStrictEqual([answer.length, next], [20, "row 19"])
    const whole = await manyPages(growingList(10).listed, 15)
    assert.deepStrictEqual([whole.answer.length, whole.next], [10, undefined])
  })

  it("the console offers the next page of a list only if the pod has returned a cursor", () => {
    const { getNextPageParam } = pagesQuery(["rows"], growingList(0).listed)
    const first = { answer: [{ id: "row 0" }], next: "row 0" }
    const last = { answer: [], next: undefined }
    assert.strictEqual(getNextPageParam(first, [first], undefined, [undefined]), "row 0")
    assert.isUndefined(getNextPageParam(last, [first, last], "row 0", [undefined, "row 0"]))
  })
})

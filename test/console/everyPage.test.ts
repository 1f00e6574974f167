/** Tests how the console reads a long list page by page. */
import { assert, describe, it } from "vitest"
import { everyPage, type PagePlace, pagesQuery } from "../../src/console/api/everyPage.ts"

interface Row {
  readonly id: string
}

/** A list of the pod with this many rows. Before each page except the first page, the list gets a new first row. */
const growingList = (rowCount: number) => {
  const rows: Array<Row> = Array.from({ length: rowCount }, (_, at) => ({ id: `row ${at}` }))
  const asked: Array<PagePlace> = []
  const read = ({ limit, offset }: PagePlace) => {
    asked.push({ limit, offset })
    if (asked.length > 1) rows.unshift({ id: `new ${asked.length}` })
    return Promise.resolve(rows.slice(offset, offset + limit))
  }
  return { asked, listed: { atOnce: 10, idOf: ({ id }: Row) => id, read } }
}

const signal = new AbortController().signal

describe("reading a long list of the pod", () => {
  it("if the pod refuses a later page of a list, the console cannot read the whole list and reports a failure", async () => {
    const { listed } = growingList(25)
    const refusing = {
      ...listed,
      read: (page: PagePlace) => (page.offset === 0 ? listed.read(page) : Promise.reject(new Error("refused")))
    }
    const failure = await everyPage(refusing, signal).then(
      () => "read",
      ({ message }: Error) => message
    )
    assert.strictEqual(failure, "refused")
  })

  it("to read a whole list, the console asks for pages until a page is not full, and keeps a row of two pages only once", async () => {
    const { asked, listed } = growingList(25)
    const ids = (await everyPage(listed, signal)).map(({ id }) => id)
    assert.deepStrictEqual(
      asked.map(({ offset }) => offset),
      [0, 10, 20]
    )
    assert.strictEqual(new Set(ids).size, ids.length)
    for (let at = 0; at < 25; at++) assert.include(ids, `row ${at}`)
  })

  it("the console offers the next page of a list only if the page before it was full", () => {
    const { listed } = growingList(0)
    const { getNextPageParam } = pagesQuery(["rows"], listed)
    const full = Array.from({ length: 10 }, (_, at) => ({ id: `row ${at}` }))
    assert.strictEqual(getNextPageParam(full, [full], 0, [0]), 10)
    assert.isUndefined(getNextPageParam(full.slice(1), [full, full.slice(1)], 10, [0, 10]))
  })
})

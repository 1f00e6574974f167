/**
 * Tests the tables that commands print. On a terminal, a table fits the width of the terminal and shows every id in
 * full. In a pipe, a table shows every text in full.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { eventText } from "../../src/cli/EventText.ts"
import { timeCell } from "../../src/cli/Output.ts"
import { type Column, tableLines } from "../../src/cli/Table.ts"
import { aTerminal } from "../support/builtCli.ts"
import { aFolder } from "../support/builtPod.ts"
import { aCommandInProcess } from "../support/cliInProcess.ts"
import { aPod, type TestPod } from "../support/pod.ts"

const same = (text: string) => text

interface Row {
  readonly id: string
  readonly name: string
  readonly about: string
}
const columns: ReadonlyArray<Column<Row>> = [
  { title: "ID", isWhole: true, of: ({ id }) => id },
  { title: "NAME", of: ({ name }) => name },
  { title: "ABOUT", of: ({ about }) => about }
]
const rows: ReadonlyArray<Row> = [
  { id: "0192f3ab-0000-7000-8000-000000000001", name: "short", about: "a".repeat(90) },
  { id: "0192f3ab-0000-7000-8000-000000000002", name: "n".repeat(30), about: "b" }
]

describe("tables of the command line", () => {
  it("in a table of the command line, a time of day ends with `Z` for UTC, and a missing time is a dash", () => {
    const at = "2026-11-27T09:35:27.123Z"
    assert.strictEqual(timeCell(at), "2026-11-27T09:35Z")
    assert.strictEqual(timeCell(at, "second"), "2026-11-27T09:35:27Z")
    assert.strictEqual(timeCell(at, "day"), "2026-11-27")
    for (const missing of [null, undefined, ""]) assert.strictEqual(timeCell(missing), "–")
  })

  it("a table of the command line without a maximum width shows every text in full", () => {
    const [, first, second] = tableLines(rows, columns, undefined, same)
    assert.include(first, "a".repeat(90))
    assert.include(second, "n".repeat(30))
  })

  it("a table of the command line with a maximum width cuts the longest texts, marks the cut, and shows short texts and ids in full", () => {
    for (const width of [60, 80, 100]) {
      const lines = tableLines(rows, columns, width, same)
      for (const line of lines) assert.isAtMost([...line].length, width, line)
      for (const { id } of rows) assert.isTrue(lines.some((line) => line.startsWith(id)))
      assert.match(lines[1] ?? "", /a…$/)
    }
    assert.include(tableLines(rows, columns, 100, same)[2], "n".repeat(20))
  })

  it("a table of the command line leaves out a less important column if the table would be too wide with this column", () => {
    const withMore = [...columns, { title: "MORE", isWhole: true, isSecondary: true, of: ({ id }: Row) => id } as const]
    assert.include(tableLines(rows, withMore, 120, same)[0], "MORE")
    const narrow = tableLines(rows, withMore, 70, same)
    assert.notInclude(narrow[0], "MORE")
    for (const line of narrow) assert.isAtMost([...line].length, 70, line)
  })

  it("a table of the command line leaves out a less important column before it cuts a text to a few characters", () => {
    const withMore = [...columns, { title: "MORE", isSecondary: true, of: () => "b".repeat(20) } as const]
    const [titles = "", , second = ""] = tableLines(rows, withMore, 80, same)
    assert.notInclude(titles, "MORE")
    assert.include(second, "n".repeat(19))
    // Without a less important column, texts become shorter.
    assert.include(tableLines(rows, columns, 60, same)[2], `${"n".repeat(9)}…`)
  })

  it("on a terminal that is too narrow for the whole values of a table, each row is a block of lines that fit, with all of its columns", () => {
    const withMore = [...columns, { title: "MORE", isWhole: true, isSecondary: true, of: ({ id }: Row) => id } as const]
    for (const width of [40, 50]) {
      const lines = tableLines(rows, withMore, width, same)
      for (const line of lines) assert.isAtMost([...line].length, width, line)
      assert.deepStrictEqual(lines.slice(0, 2), [rows[0]?.id, "  NAME   short"])
      assert.match(lines[2] ?? "", /^ {2}ABOUT {2}a+…$/)
      assert.isTrue(lines.some((line) => line.startsWith("  ") && line.endsWith(rows[0]?.id ?? "–")))
    }
  })

  it("a table of the command line shows ids in full even on a terminal that is too narrow for the ids", () => {
    const lines = tableLines(rows, columns, 20, same)
    for (const { id } of rows) assert.isTrue(lines.some((line) => line.startsWith(id)))
  })
})

describe("the lines of events", () => {
  const event = {
    id: "0192f3ab-0000-7000-8000-000000000001",
    type: "entity.note.create",
    timestamp: "2026-11-27T09:35:27.123Z",
    subjectId: "0192f3ab-0000-7000-8000-000000000002"
  }

  it("the lines of an event fit the terminal, and have the whole id of the event", () => {
    for (const columns of [40, 50, 60, 80, 100, 130]) {
      for (const indent of ["", "  ", " ".repeat(12)]) {
        const lines = eventText(event, { columns, indent, mark: "→ " }).split("\n")
        for (const line of lines) assert.isAtMost([...line].length, columns, line)
        assert.isTrue(lines.some((line) => line.endsWith(event.id)))
      }
    }
    assert.strictEqual(eventText(event, { columns: 60 }).split("\n")[0], "2026-11-27T09:35:27Z  entity.note.create")
  })

  it("in a pipe, an event is one line with its subject", () => {
    const line = eventText(event, { columns: undefined, indent: "  " })
    assert.notInclude(line, "\n")
    for (const part of [event.id, event.subjectId, event.type]) assert.include(line, part)
  })
})

describe("tables that commands print", () => {
  const home = aFolder()
  const about = "Everything that somebody has to know about the harbour, its ships and the people who work there."
  const environment: Record<string, string> = {}
  const pod = aCommandInProcess(home.path, { environment })
  const terminal = aTerminal(home.path, { environment })
  let server: TestPod

  beforeAll(async () => {
    server = await aPod({ kind: "memory" }, {}, { hasSocket: true })
    environment["POD_DATA_DIR"] = server.dataDir!
    await server.owner.send("POST", "/api/hub/entities", { title: about, profileSlug: "note" })
    const permissions = ["entity.note.read", "entity.task.read", "document.read", "project.read"]
    await pod([
      "roles",
      "create",
      "--name",
      "reader",
      "--description",
      about,
      ...permissions.flatMap((permission) => ["--permission", permission])
    ])
    await pod(["keys", "create", "--name", about.slice(0, 60), "--quiet"])
  })
  afterAll(async () => {
    await server.stop()
    home.remove()
  })

  it("on a terminal of 80 columns, the lists of keys, events, roles, settings, records and topics have no wider line", async () => {
    const linesOf = (text: string) => text.replaceAll(/\u001b\[[0-9;]*m/g, "").split(/\r?\n/)
    for (const list of [
      ["get", "note"],
      ["keys", "list"],
      ["events", "list"],
      ["roles", "list"],
      ["config", "list"],
      ["docs", "mcp"],
      ["docs", "exit-codes"]
    ]) {
      const { code, stderr, stdout } = await pod(list, { columns: 80 })
      assert.strictEqual(code, 0, stderr)
      for (const line of linesOf(stdout)) assert.isAtMost([...line].length, 80, `${list.join(" ")}: ${line}`)
    }
    const { code, screen } = await terminal(["keys", "list"], [], 80)
    assert.strictEqual(code, 0, screen)
    for (const line of linesOf(screen)) assert.isAtMost([...line].length, 80, line)
  })

  it("on a narrow terminal, `pod docs` wraps the last column of a table into further lines and cuts no word", async () => {
    const piped = await pod(["docs", "exit-codes"])
    const { stdout: screen } = await pod(["docs", "exit-codes"], { columns: 60 })
    assert.notInclude(screen, "…")
    const wordsOf = (text: string) => text.replaceAll(/\u001b\[[0-9;]*m/g, "").split(/\s+/)
    assert.deepStrictEqual(wordsOf(screen), wordsOf(piped.stdout))
  })

  it("`pod get` prints the full title into a pipe, but on a narrow terminal it cuts the title and prints the full id", async () => {
    const piped = await pod(["get", "note"])
    assert.include(piped.stdout, about)
    const [id = ""] = /[0-9a-f-]{36}/.exec(piped.stdout) ?? []
    const { screen } = await terminal(["get", "note"], [], 80)
    assert.include(screen, id)
    assert.notInclude(screen, about)
    assert.include(screen, "…")
  })
})

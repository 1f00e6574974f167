/** Tests how the command line asks for a password, and which messages it prints for people. */
import { assert, describe, it } from "@effect/vitest"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { aTerminal } from "../support/builtCli.ts"
import { ownerEmail, ownerPassword } from "../support/pod.ts"
import { aCommandScene, dataOf, type Fields, note } from "../support/commandScene.ts"

const { agent, home, json, pod, propose, server, started } = aCommandScene()

describe("how the command line asks for a password", () => {
  it("when the command line asks for a password, the terminal does not show the typed text, and Ctrl-C ends the sign-in", async () => {
    const inTerminal = aTerminal(home.path)
    const login = ["login", "--url", server().baseUrl, "--email", ownerEmail]
    const stopped = await inTerminal(login, [["Password", "\u0003"]])
    assert.strictEqual(stopped.code, 130, stopped.screen)
    const done = await inTerminal(login, [["Password", `${ownerPassword}\r`]])
    assert.strictEqual(done.code, 0, done.screen)
    assert.include(done.screen, "Signed in")
    assert.notInclude(done.screen, ownerPassword)
    assert.strictEqual((await pod(["logout"])).code, 0)
    const asked = await pod(login, { environment: { POD_DATA_DIR: "" } })
    assert.strictEqual(asked.code, 2)
    assert.include(asked.stderr, "--password-file")
  })

  it("when a person types a new password that is too short, the command line refuses it before it asks for it again", async () => {
    const reset = await aTerminal(home.path, { environment: { POD_DATA_DIR: server().dataDir! } })(
      ["owner", "reset-password"],
      [["New password", "short\r"]]
    )
    assert.strictEqual(reset.code, 2, reset.screen)
    assert.include(reset.screen, "Use a password of 12 to 128 characters.")
    assert.notInclude(reset.screen, "The same password")
  })
})

describe("messages of the command line for people", () => {
  it("`pod login` prints a readable message if the password is wrong", async () => {
    const run = await pod(["login", "--url", server().baseUrl, "--email", ownerEmail], {
      environment: { POD_PASSWORD: "not the password" }
    })
    assert.strictEqual(run.code, 4)
    assert.match(run.stderr, /^Error \S.+\n {2}If you forgot the password/)
  })

  it("`pod login` without an address signs in to the pod on this machine", async () => {
    const run = await pod(["login", "--email", ownerEmail, "--json"], { environment: { POD_PASSWORD: ownerPassword } })
    assert.strictEqual(dataOf(run).url, server().baseUrl.replace("127.0.0.1", "localhost"))
    assert.strictEqual((await pod(["logout"])).code, 0)
  })

  it("while a person types a password for the command line, the terminal shows neither letters nor stars", async () => {
    const { code, screen } = await aTerminal(home.path)(
      ["login", "--url", server().baseUrl, "--email", ownerEmail],
      [["Password", `${ownerPassword}\r`]]
    )
    assert.strictEqual(code, 0, screen)
    assert.notInclude(screen, "*")
    assert.strictEqual((await pod(["logout"])).code, 0)
  })

  it("if a procedure refuses the input of a command, the command line prints the reason as text and not as JSON", async () => {
    const run = await pod(["roles", "create", "--name", "wrong", "--permission", "nothing.read"])
    assert.strictEqual(run.stderr, "Error grant.permissions.0: There is no subject nothing.\n")
  })

  it("the list of keys prints different short ids for two keys that were made one directly after the other", async () => {
    for (const name of ["twin one", "twin two"]) await json("keys", "create", "--name", name)
    const { stdout } = await pod(["keys", "list"])
    const ids = stdout
      .split("\n")
      .filter((line) => line.includes("twin"))
      .map((line) => line.split(" ")[0] ?? "")
    assert.strictEqual(new Set(ids).size, 2)
    for (const id of ids) assert.strictEqual((await pod(["keys", "revoke", id, "--yes"])).code, 0)
  })

  it("`pod roles edit` fails if no option states a change", async () => {
    await json("roles", "create", "--name", "still", "--permission", "entity.note.read")
    assert.strictEqual((await pod(["roles", "edit", "still"])).code, 2)
  })

  it("`pod events list --since` accepts a duration such as `1h`, and explains why a wrong time is refused", async () => {
    assert.isNotEmpty(await json("events", "list", "--since", "1h"))
    const run = await pod(["events", "list", "--since", "nonsense"])
    assert.strictEqual(run.code, 2)
    assert.include(run.stderr, '"nonsense" is not a time.')
  })

  it("`pod proposals show` ends with exit code 6 if its argument is not the id of a proposal", async () => {
    assert.strictEqual((await pod(["proposals", "show", "nothing"])).code, 6)
  })

  it("`pod events trace` ends with exit code 6 if its argument is not the id of an event, and says how to see the events", async () => {
    const run = await pod(["events", "trace", "nothing"])
    assert.strictEqual(run.code, 6)
    assert.strictEqual(run.stderr, 'Error There is no event "nothing".\n  To see the events, run `pod events list`.\n')
  })

  it("`pod ask` on a pod without a language model prints the records that answer the question, or says that no record answers it", async () => {
    assert.strictEqual((await pod(["ask", "xylophone"])).stdout, "No record that you may read answers this.\n")
    await server().owner.send("POST", "/api/hub/entities", note("The xylophone is in the attic"))
    assert.match((await pod(["ask", "xylophone"])).stdout, /only the sources\.\nSources\n {2}\[1\] The xylophone/)
  })

  it("if the path in a `pod api` command lacks its beginning `/api/hub`, the message shows the command with the whole path", async () => {
    const run = await pod(["api", "GET", "/users/me"])
    assert.strictEqual(run.code, 6)
    assert.include(run.stderr, "begin with /api/hub: pod api GET /api/hub/users/me.")
    assert.notInclude((await pod(["api", "GET", "/api/hub/nothing"])).stderr, "begin with")
  })

  it("each line of a hint of the command line is indented under the error", async () => {
    const { key } = await json("keys", "create", "--name", "reader", "--permission", "entity.read")
    const run = await pod(["create", "note", "No"], { environment: { POD_API_KEY: key } })
    assert.strictEqual(run.code, 5)
    assert.match(run.stderr, /^Error .+\n {2}Make a key that may do this: .+\n {2}Why: pod api GET .+\n$/)
  })

  it("`pod connect` first says how to make the key that the client needs, but not if the option `--new-key` makes the key", async () => {
    const asked = await pod(["connect", "claude-code"])
    assert.match(asked.stdout, /export POD_API_KEY=\$\(pod connect claude-code --new-key\)[^]*the command:/)
    assert.include((await pod(["connect", "vscode"])).stdout, "run `pod connect vscode --new-key`")
    assert.notInclude((await pod(["connect", "claude-code", "--new-key"])).stderr, "--new-key")
  })

  it("with `-o env` a command prints a list as one variable that a shell can read", async () => {
    const { stdout } = await pod(["roles", "list", "-o", "env"])
    assert.match(stdout, /^ITEMS='\[.*\]'\n$/)
  })

  it("`pod status` shows no address of the console if the root of the address does not lead to a console", async () => {
    const other = createServer(({ url }, response) =>
      response.writeHead(url === "/" ? 302 : 200, { location: "https://elsewhere.example/" }).end("{}")
    )
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
    const { port } = other.address() as AddressInfo // the server listens on TCP, so its address has a port
    const url = `http://127.0.0.1:${port}`
    const shown = await pod(["status", "--url", url, "--json"])
    other.close()
    assert.strictEqual((JSON.parse(shown.stdout) as { data: Fields }).data["podConsoleUrl"], null)
  })

  it("`pod status` shows the address of the console, over the admin socket and over the address of the pod", async () => {
    for (const way of [[], ["--url", server().baseUrl], ["--url", `${server().baseUrl}/`]]) {
      const { stdout } = await pod(["status", ...way])
      assert.match(stdout, /^ {2}Console http:\/\/[^/\s]+\/admin$/m, way.join(" "))
    }
  })

  it("`pod status` shows the database engine, the waiting proposals, and the number of readable records for each kind that has records", async () => {
    await server().owner.send("POST", "/api/hub/documents", { title: "Plan", content: "Text", type: "text" })
    await propose("count me")
    const { counts, database, waiting } = await json("status")
    assert.deepStrictEqual(database, { engine: "memory", sizeBytes: null })
    assert.isAbove(counts.documents, 0)
    assert.strictEqual(counts.tracks, 0)
    assert.isAbove(waiting, 0)
    const { stdout } = await pod(["status"])
    assert.include(stdout, "  Data    in memory only\n")
    const one = counts.documents === 1 ? "document" : "documents"
    assert.match(stdout, new RegExp(`^  Holds   .*${counts.documents} ${one}`, "m"))
    assert.notInclude(stdout, "track")
    assert.match(stdout, new RegExp(`^  Waiting ${waiting} proposals?: pod proposals list$`, "m"))
  })

  it("`pod status` without a credential shows neither the database engine nor numbers of records", async () => {
    const shown = await pod(["status", "--url", server().baseUrl])
    assert.strictEqual(shown.code, 0, shown.stderr)
    assert.notMatch(shown.stdout, /Data|Holds|Waiting/)
  })

  it("Ctrl-C ends `pod events tail` at once, even while no event happens", async () => {
    const tail = await started(["events", "tail", "--debug"])
    await tail.untilOutput("→ 200")
    const asked = performance.now()
    tail.signal("SIGINT")
    assert.strictEqual((await tail.ended).code, 130)
    assert.isBelow(performance.now() - asked, 1000)
  })

  it("if a record changed after the proposal, `pod proposals show` prints the old, the current and the proposed value, and says where a person can choose one", async () => {
    const { id } = (await server().owner.send("POST", "/api/hub/entities", note("first title"))).body
    const { proposalId } = (await agent().send("PATCH", `/api/hub/entities/${id}`, { title: "agent's title" })).body
    await server().owner.send("PATCH", `/api/hub/entities/${id}`, { title: "owner's title" })
    const { stderr, stdout } = await pod(["proposals", "show", proposalId])
    assert.include(stderr, "on the page Inbox of the console")
    assert.include(stdout, "was       first title")
    assert.include(stdout, "is now    owner's title")
    assert.include(stdout, "proposed  agent's title")
    await server().owner.send("POST", `/api/hub/proposals/${proposalId}/reject`, {})
  })
})

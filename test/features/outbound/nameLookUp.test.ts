/** Host names that people chose are found without stopping the look-ups of others. */
import { assert, describe, it } from "@effect/vitest"
import { createSocket, type Socket } from "node:dgram"
import { once } from "node:events"
import { afterEach } from "vitest"
import { nameLookUp, type NameSources } from "../../../src/features/outbound/NameLookUp.ts"

const sockets: Array<Socket> = []
afterEach(() => sockets.splice(0).forEach((socket) => socket.close()))

const typeA = 1
const nameUnknown = 3

/**
 * A name server on 127.0.0.1 (RFC 1035, section 4). It answers 192.0.2.7 for known.test, and says that it does not know
 * absent.test. It never answers for another name. `asked` gets each question.
 */
const aNameServer = async (asked: (name: string) => void = () => {}): Promise<string> => {
  const socket = createSocket("udp4")
  sockets.push(socket)
  socket.on("message", (query, from) => {
    const labels: Array<string> = []
    let at = 12
    while (query[at] !== 0) {
      labels.push(query.toString("latin1", at + 1, at + 1 + query[at]))
      at += 1 + query[at]
    }
    const name = labels.join(".")
    asked(name)
    if (name !== "known.test" && name !== "absent.test") return
    const isFound = name === "known.test" && query.readUInt16BE(at + 1) === typeA
    const head = Buffer.from(query.subarray(0, at + 5))
    head.writeUInt16BE(0x8180 | (name === "absent.test" ? nameUnknown : 0), 2)
    head.writeUInt16BE(isFound ? 1 : 0, 6)
    head.writeUInt16BE(0, 10)
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7])
    socket.send(isFound ? Buffer.concat([head, answer]) : head, from.port, from.address)
  })
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  return `127.0.0.1:${socket.address().port}`
}

/** A promise that the test resolves when something has happened. */
const happening = () => {
  let happen = () => {}
  const happened = new Promise<void>((resolve) => (happen = resolve))
  return { happen: () => happen(), happened }
}

const never = () => new Promise<never>(() => {})
const sourcesWith = (server: string, changes: Partial<NameSources> = {}): NameSources => ({
  servers: [server],
  hosts: () => Promise.resolve(""),
  bySystem: () => Promise.reject(new Error("The system must not be asked.")),
  ...changes
})
const known = [{ address: "192.0.2.7", family: 4 }]

describe("the look-up of a host name that a person chose", () => {
  it("attack: names whose name server never answers delay no other name, and use no thread of the process", async () => {
    const silent = new Set<string>()
    const allAsked = happening()
    const server = await aNameServer((name) => {
      if (name.startsWith("silent")) silent.add(name)
      if (silent.size === 20) allAsked.happen()
    })
    const find = nameLookUp(sourcesWith(server))
    let ended = 0
    const attacks = Array.from({ length: 20 }, (_, at) => find(`silent${at}.test`).finally(() => (ended += 1)))
    const outcomes = Promise.allSettled(attacks)
    await allAsked.happened
    assert.deepStrictEqual(await find("known.test"), known)
    assert.strictEqual(ended, 0)
    for (const outcome of await outcomes) {
      assert.strictEqual(outcome.status === "rejected" && outcome.reason.code, "ETIMEOUT")
    }
  }, 60_000)

  it("attack: a name that only the system may know waits until the system has answered for the earlier names, and too many such names are refused", async () => {
    const server = await aNameServer()
    const asked: Array<string> = []
    const waits = happening()
    const bySystem = (host: string) => {
      asked.push(host)
      waits.happen()
      return never()
    }
    const find = nameLookUp(sourcesWith(server, { bySystem }))
    const all = Array.from({ length: 21 }, () => find("absent.test"))
    await waits.happened
    const refusal = await Promise.any(all.map((one) => one.then(never, (cause: unknown) => cause)))
    assert.include(String(refusal), "Too many host names")
    assert.deepStrictEqual(asked, ["absent.test"])
    assert.deepStrictEqual(await find("known.test"), known)
  })

  it("a name in the hosts file gets the addresses of this file", async () => {
    const hosts = () => Promise.resolve("# known.test\n10.0.0.5  Known.Test other # comment\n::5 known.test\n")
    const find = nameLookUp(sourcesWith("127.0.0.1:9", { hosts }))
    assert.deepStrictEqual(await find("known.test."), [
      { address: "10.0.0.5", family: 4 },
      { address: "::5", family: 6 }
    ])
  })

  it("a name that the name servers do not know gets the addresses of the system, such as a name with a search domain", async () => {
    const server = await aNameServer()
    const find = nameLookUp(sourcesWith(server, { bySystem: () => Promise.resolve(known) }))
    assert.deepStrictEqual(await find("absent.test"), known)
  })
})

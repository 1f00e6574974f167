/** Tests which faults of a connection to PostgreSQL end the start of the pod at once, and what the pod says about them. */
import { assert, describe, it } from "@effect/vitest"
import { SqlError } from "@effect/sql"
import { Redacted } from "effect"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { connectionFault } from "../../src/platform/ConnectionFaults.ts"
import { connectionFor } from "../../src/platform/PostgresSession.ts"
import { exitCodes } from "../../src/platform/ExitCodes.ts"
import { aFolder } from "../support/builtPod.ts"
import { refusedBuild } from "../support/refusedBuild.ts"

const faultOf = (message: string, fields: Readonly<Record<string, string>> = {}) =>
  connectionFault(
    new SqlError.SqlError({ cause: Object.assign(new Error(message), fields), message: "Failed to connect" })
  )

describe("faults of a connection to PostgreSQL", () => {
  it("a fault that waiting cannot mend is reported at once, with a remedy", () => {
    const rows: ReadonlyArray<readonly [string, string, Record<string, string>, RegExp]> = [
      ["no TLS", "The server does not support SSL connections", {}, /ssl = on.*remove sslmode/],
      ["a wrong password", "password authentication failed", { code: "28P01" }, /user and the password/],
      ["no rule for the login", "no pg_hba.conf entry", { code: "28000" }, /pg_hba\.conf/],
      ["an unknown database", "database does not exist", { code: "3D000" }, /Create the database/],
      ["no password", "SASL: client password must be a string", {}, /needs a password/],
      ["an untrusted certificate", "self-signed", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, /sslrootcert/],
      ["another host in the certificate", "altnames", { code: "ERR_TLS_CERT_ALTNAME_INVALID" }, /sslrootcert/],
      ["a missing file", "open /nowhere", { code: "ENOENT", syscall: "open" }, /path of this file/],
      ["no host name", "getaddrinfo", { code: "ENOTFOUND", hostname: "data base!" }, /"data base!" is not a host name/],
      [
        "too long a label",
        "getaddrinfo",
        { code: "ENOTFOUND", hostname: `${"a".repeat(64)}.example` },
        /not a host name/
      ]
    ]
    for (const [name, message, fields, remedy] of rows) {
      const fault = faultOf(message, fields)
      assert.isFalse(fault.mayPass, name)
      assert.match(fault.remedy ?? "", remedy, name)
    }
  })

  it("the pod waits if the server does not answer yet, is starting, has no free connection, or has a name that is not known yet", () => {
    const rows: ReadonlyArray<readonly [string, Record<string, string>]> = [
      ["connect ECONNREFUSED", { code: "ECONNREFUSED" }],
      ["the database system is starting up", { code: "57P03" }],
      ["too many connections", { code: "53300" }],
      ["connection failure", { code: "08006" }],
      ["timeout expired", {}],
      ["Connection terminated unexpectedly", {}],
      ["connect ENOENT", { code: "ENOENT", syscall: "connect" }],
      ["getaddrinfo", { code: "ENOTFOUND", hostname: "postgres" }],
      ["getaddrinfo", { code: "EAI_AGAIN", hostname: "db_1.internal." }]
    ]
    for (const [message, fields] of rows)
      assert.isTrue(faultOf(message, fields).mayPass, `${message} ${fields["code"]}`)
  })

  it("a mode of TLS in which the driver checks the certificate is passed on as that check, and other modes stay", () => {
    const modeOf = (query: string) => {
      const { connectionString } = connectionFor("work", Redacted.make(`postgres://pod@db.example/pod?${query}`))
      return new URL(connectionString ?? "").searchParams.get("sslmode")
    }
    for (const mode of ["prefer", "require", "verify-ca", "verify-full"]) {
      assert.strictEqual(modeOf(`sslmode=${mode}`), "verify-full", mode)
    }
    assert.strictEqual(modeOf("sslmode=no-verify"), "no-verify")
    assert.strictEqual(modeOf("sslmode=disable"), "disable")
    assert.strictEqual(modeOf("sslmode=require&uselibpqcompat=true"), "require")
  })

  it("a pod whose settings ask for TLS ends at once if the server has no TLS, and says what to change", async () => {
    // A PostgreSQL server without TLS answers the request for TLS with the letter N.
    let asked = 0
    const server = createServer((socket) =>
      socket
        .on("error", () => undefined)
        .once("data", () => {
          asked += 1
          socket.write("N")
        })
    )
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo // the server listens on TCP, so its address has a port
    const folder = aFolder()
    const refused = await refusedBuild({
      POD_DATA_DIR: folder.path,
      POD_DATABASE_URL: `postgres://pod:not-shown@127.0.0.1:${port}/pod?sslmode=require`
    })
    folder.remove()
    await new Promise((resolve) => server.close(resolve))
    assert.strictEqual(asked, 1)
    assert.strictEqual(refused.code, exitCodes.databaseUnreachable)
    assert.include(refused.errors, "The server does not support SSL connections. Turn on TLS at the server (ssl = on)")
    assert.notInclude(refused.errors, "not-shown")
  })
})

/** Which addresses an artifact may show, whatever the spelling of the address. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { urlFault } from "../../../src/features/artifacts/PublicUrl.ts"

const isRefused = (text: string) => urlFault(text) !== undefined

describe("attack: the address of an artifact", () => {
  it("a private, local or reserved address of an artifact is refused in every spelling", () => {
    const hosts = [
      "127.0.0.1",
      "127.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "0x7f.1",
      "127.0.0.1.",
      "10.0.0.1",
      "172.16.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "0.0.0.0",
      "0",
      "[::]",
      "[::1]",
      "[fe80::1]",
      "[fd00::1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:a9fe:a9fe]",
      "[::127.0.0.1]",
      "[64:ff9b::7f00:1]",
      "[2002:7f00:1::]",
      "localhost",
      "LOCALHOST.",
      "ⓛocalhost",
      "１２７.０.０.１",
      "app.localhost",
      "metadata.google.internal",
      "printer.local",
      "intranet"
    ]
    for (const host of hosts) {
      for (const text of [`http://${host}/`, `https://${host}:8443/a?b#c`, `HTTP://${host}`]) {
        assert.isTrue(isRefused(text), text)
      }
    }
  })

  it("an address of an artifact is refused if it is ambiguous or does not use http or https", () => {
    const texts = [
      "https://example.com@127.0.0.1/",
      "https://user@example.com/",
      "https://user:secret@example.com/",
      "https://@example.com/",
      "https://example.com\\@127.0.0.1/",
      "https://exa mple.com/",
      "https://example.com/\n",
      " https://example.com/",
      "https://example.com/\u0000",
      "javascript:alert(1)",
      "data:text/html,<p>",
      "file:///etc/passwd",
      "ftp://example.com/",
      "//example.com/",
      "http:example.com",
      "https://",
      "example.com",
      ""
    ]
    for (const text of texts) assert.isTrue(isRefused(text), JSON.stringify(text))
  })

  it("an artifact can have a URL on the public internet, also with a path, a query and a fragment", () => {
    const texts = [
      "https://example.com",
      "http://example.com:8080/a/@b?c=d@e#f",
      "https://8.8.8.8/",
      "https://[2606:4700:4700::1111]/",
      "HTTPS://Example.COM/",
      "https://bücher.example/"
    ]
    for (const text of texts) assert.isUndefined(urlFault(text), text)
  })

  it("no spelling of a private network address is accepted as the address of an artifact", () => {
    const octet = fc.integer({ min: 0, max: 255 })
    const inside = fc.oneof(
      fc.tuple(fc.constant(10), octet, octet, octet),
      fc.tuple(fc.constant(127), octet, octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet)
    )
    const spell = [
      (parts: ReadonlyArray<number>) => parts.join("."),
      (parts: ReadonlyArray<number>) => parts.map((part) => `0x${part.toString(16)}`).join("."),
      (parts: ReadonlyArray<number>) => parts.map((part) => `0${part.toString(8)}`).join("."),
      (parts: ReadonlyArray<number>) => String(parts.reduce((sum, part) => sum * 256 + part)),
      (parts: ReadonlyArray<number>) => `[::ffff:${parts.join(".")}]`,
      ([first = 0, second = 0, third = 0, fourth = 0]: ReadonlyArray<number>) =>
        `${first}.${second}.${third * 256 + fourth}`
    ]
    fc.assert(
      fc.property(inside, fc.constantFrom(...spell), (parts, spelled) => isRefused(`https://${spelled(parts)}/`))
    )
  })
})

/** Which addresses a workspace can use for a model provider, in every spelling of an address. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { addressFault } from "../../../src/features/workspaces/ProviderAddress.ts"

const isRefused = (url: string, mayBeLoopback = false) => addressFault(url, mayBeLoopback) !== undefined

describe("the address of a model provider", () => {
  for (const url of [
    "ftp://example.com",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "example.com",
    "",
    "http://",
    "https://user@example.com",
    "https://user:secret@example.com",
    "https://example.com?key=secret",
    "https://example.com/#secret",
    "https://example.com\\@127.0.0.1",
    " https://example.com",
    "https://exa\nmple.com"
  ]) {
    it(`${JSON.stringify(url)} is refused as the address of a model provider`, () =>
      assert.isTrue(isRefused(url, true)))
  }

  for (const host of [
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "2852039166", // This is 169.254.169.254, written as one number.
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "0xa9.254.0251.254",
    "169.254.43518",
    "[::]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[::169.254.169.254]",
    "[64:ff9b::a9fe:a9fe]",
    "[2002:a9fe:a9fe::1]",
    "[2001:0:a9fe:a9fe::1]",
    "[2001:db8::1]",
    "metadata.google.internal",
    "printer.local",
    "router",
    "metadata.google.internal."
  ]) {
    it(`the host ${host} is refused as the address of a model provider, even if the provider is local`, () =>
      assert.isTrue(isRefused(`http://${host}:80/`, true)))
  }

  for (const host of [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "①②⑦.0.0.1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "localhost",
    "localhost.",
    "models.localhost"
  ]) {
    it(`the host ${host} is allowed only as the address of a local model provider`, () => {
      assert.isTrue(isRefused(`http://${host}:11434`))
      assert.isFalse(isRefused(`http://${host}:11434`, true))
    })
  }

  for (const url of [
    "https://api.example.com/v1",
    "http://8.8.8.8",
    "https://[2606:4700::1111]/",
    "https://a.b.:8443"
  ]) {
    it(`${url} is allowed as the address of a model provider`, () => assert.isFalse(isRefused(url)))
  }

  it("the pod treats all spellings of the IPv4 address of a model provider in the same way", () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(byte, byte, byte, byte, (a, b, c, d) => {
        const whole = ((a * 256 + b) * 256 + c) * 256 + d
        const spelled = [
          `${a}.${b}.${c}.${d}`,
          `${whole}`,
          `0x${whole.toString(16)}`,
          `0${a.toString(8)}.0x${b.toString(16)}.${c * 256 + d}`,
          `[::ffff:${a}.${b}.${c}.${d}]`
        ].map((host) => isRefused(`https://${host}/`))
        assert.lengthOf([...new Set(spelled)], 1)
      })
    )
  })
})

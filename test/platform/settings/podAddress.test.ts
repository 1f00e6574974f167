/** Tests which address a pod gives as its own, for each form of `POD_HOST`, with and without a public address. */
import { assert, describe, it } from "@effect/vitest"
import { podAddress, podHosts } from "../../../src/platform/settings/PodAddress.ts"
import { acceptedSettings } from "../../support/settings.ts"

const addressWith = (environment: Readonly<Record<string, string>>) =>
  podAddress(acceptedSettings(environment).settings)

describe("the address of a pod", () => {
  it("the pod gives its address as localhost if it listens on loopback or on every interface", () => {
    for (const POD_HOST of ["127.0.0.1", "localhost", "::1", "0.0.0.0", "::"]) {
      assert.strictEqual(addressWith({ POD_HOST }), "http://localhost:8787", POD_HOST)
    }
  })

  it("a pod that listens on one network address gives this address as its own, because localhost would not answer", () => {
    assert.strictEqual(addressWith({ POD_HOST: "192.168.7.4", POD_PORT: "9000" }), "http://192.168.7.4:9000")
    assert.strictEqual(addressWith({ POD_HOST: "fd00::7" }), "http://[fd00::7]:8787")
    assert.strictEqual(addressWith({ POD_HOST: "127.0.0.2" }), "http://127.0.0.2:8787")
  })

  it("if a pod has a public address, it gives this address as its own, whatever host it listens on", () => {
    const environment = { POD_HOST: "192.168.7.4", POD_PUBLIC_URL: "https://pod.example.com" }
    assert.strictEqual(addressWith(environment), "https://pod.example.com")
  })

  it("a caller can name the pod by the host of its public address and by the address on which it listens, with the brackets of an IPv6 address", () => {
    const hostsWith = (environment: Readonly<Record<string, string>>) =>
      podHosts(acceptedSettings(environment).settings)
    assert.deepStrictEqual(hostsWith({ POD_HOST: "fd00::7" }), ["[fd00::7]"])
    assert.deepStrictEqual(hostsWith({ POD_HOST: "pod.lan", POD_PUBLIC_URL: "https://pod.example.com:8443/sub" }), [
      "pod.lan",
      "pod.example.com"
    ])
  })
})

/** Scratch. */
import { it } from "@effect/vitest"
import { aPod } from "../support/pod.ts"
it("x", async () => {
  const pod = await aPod({ kind: "memory" })
  const maker = await pod.aPerson("someone@example.com")
  const other = await pod.aPerson("other@example.com")
  const ws = await pod.aWorkspace(maker, "Ours")
  const def = { slug: "owns", displayName: "Owns", description: null, inverseLabel: null, isDirectional: true, sourceProfileSlugs: [], targetProfileSlugs: [] }
  console.log("maker", JSON.stringify((await maker.send("POST", "/api/hub/relation-defs", { ...def, workspaceId: ws })).body))
  for (const slug of ["owns", "never"]) {
    const a = await other.send("POST", "/api/hub/relation-defs", { ...def, slug, workspaceId: ws })
    console.log("stranger", slug, a.status, JSON.stringify(a.body))
  }
  await pod.stop()
})

/** The API reference: reads openapi.json and shows it by group, with search and the keyboard. */
import { credential } from "./attempt.js"
import { element, prose } from "./dom.js"
import { operationCard } from "./operation.js"

const at = (id) => document.getElementById(id)

const entriesOf = (api) =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation,
      text: [method, path, operation.operationId, operation.summary, operation.description, ...operation.tags]
        .join(" ")
        .toLowerCase()
    }))
  )

const contentsLink = ({ method, operation }) =>
  element(
    "li",
    {},
    element(
      "a",
      { href: `#${operation.operationId}` },
      element("span", {}, operation.operationId),
      element("span", { class: `method ${method}` }, method.toUpperCase())
    )
  )

const show = (api) => {
  at("version").textContent = api.info.version
  at("about").append(...prose(api.info.description))
  const shown = []
  const entries = entriesOf(api)
  for (const tag of api.tags) {
    const own = entries.filter(({ operation }) => operation.tags.includes(tag.name))
    if (own.length === 0) continue
    const title = tag["x-displayName"] ?? tag.name
    const group = element("section", { class: "group" }, element("h2", {}, title), prose(tag.description))
    const heading = element("h2", {}, title)
    const list = element("ul", {})
    const rows = own.map((entry) => ({
      entry,
      card: operationCard(api, entry),
      link: contentsLink(entry)
    }))
    group.append(...rows.map(({ card }) => card))
    list.append(...rows.map(({ link }) => link))
    at("operations").append(group)
    at("contents").append(heading, list)
    shown.push({ group, heading, list, rows })
  }
  at("loading").remove()
  return shown
}

/** How well an operation fits, 0 the best: the very name or path, a beginning, words of its name, words anywhere. */
const rankOf = ({ method, operation, path, text }, asked, words) => {
  const name = operation.operationId.toLowerCase()
  const at = path.toLowerCase()
  if (asked === name || asked === at || asked === `${method} ${at}`) return 0
  if (name.startsWith(asked) || at.startsWith(asked) || at.endsWith(asked)) return 1
  if (words.every((word) => name.includes(word) || at.includes(word))) return 2
  return words.every((word) => text.includes(word)) ? 3 : undefined
}

/** Leaves what fits. Answers the card that fits best. */
const narrow = (shown, given) => {
  const asked = given.trim().toLowerCase()
  const words = asked.split(/\s+/).filter(Boolean)
  let count = 0
  let best
  for (const { group, heading, list, rows } of shown) {
    let inGroup = 0
    for (const { entry, card, link } of rows) {
      const rank = rankOf(entry, asked, words)
      card.hidden = link.hidden = rank === undefined
      if (rank === undefined) continue
      inGroup += 1
      if (best === undefined || rank < best.rank) best = { rank, card }
    }
    group.hidden = heading.hidden = list.hidden = inGroup === 0
    count += inGroup
  }
  at("none").hidden = count > 0
  at("status").textContent =
    words.length === 0 ? "" : count === 1 ? "One operation matches." : `${count} operations match.`
  return best?.card
}

/** Opens the operation that the address names. */
const follow = () => {
  const card = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  for (const link of at("contents").querySelectorAll("a")) {
    if (link.hash === location.hash && location.hash !== "") link.setAttribute("aria-current", "true")
    else link.removeAttribute("aria-current")
  }
  if (!card?.classList.contains("operation")) return
  card.open = true
  card.scrollIntoView()
}

const listen = (shown) => {
  const search = at("search")
  search.addEventListener("input", () => narrow(shown, search.value))
  at("clear").addEventListener("click", () => {
    search.value = ""
    narrow(shown, "")
    search.focus()
  })
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select")
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      search.focus()
    } else if (event.key === "Escape" && event.target === search) {
      search.value = ""
      narrow(shown, "")
    } else if (event.key === "Enter" && event.target === search) {
      const best = narrow(shown, search.value)
      if (best === undefined) return
      // Else the same press would close the card again: the focus moves onto its summary below.
      event.preventDefault()
      best.open = true
      best.scrollIntoView()
      best.querySelector("summary").focus()
    }
  })
  const form = at("credential")
  form.addEventListener("submit", (event) => event.preventDefault())
  form.addEventListener("input", () => {
    credential.kind = at("credential-kind").value
    credential.secret = at("credential-secret").value.trim()
    document.dispatchEvent(new Event("credential"))
  })
  addEventListener("hashchange", follow)
}

try {
  const response = await fetch("openapi.json", { credentials: "omit" })
  if (!response.ok) throw new Error(`openapi.json answered ${response.status}`)
  listen(show(await response.json()))
  follow()
} catch (cause) {
  at("operations").replaceChildren(
    element("p", { class: "problem" }, `The description could not be read: ${cause.message}. Reload to try again.`)
  )
}

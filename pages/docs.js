/** The API reference: shows openapi.json and the catalog of procedures and tools by group, with search and the keyboard. */
import { listenForCredential } from "./credential.js"
import { element, prose } from "./dom.js"
import { groupsOf, rankOf } from "./entries.js"
import { at } from "./form.js"
import { offerKeys } from "./makeKey.js"
import { operationCard } from "./operation.js"

/** A name that breaks between its words where it is too long for its line. */
const breakable = (name) => name.split(/(?<=[.])|(?=[A-Z])/).flatMap((part) => [element("wbr"), part])

const contentsLink = ({ id, kind, name }) =>
  element(
    "li",
    {},
    element(
      "a",
      { href: `#${id}` },
      element("span", {}, breakable(name)),
      element("span", { class: `method ${kind}` }, kind.toUpperCase())
    )
  )

/** Shows the groups; answers each with its nodes. */
const show = (groups) => {
  const shown = groups.map(({ title, description, entries }) => {
    const section = element(
      "section",
      { class: "group" },
      element("h2", {}, title),
      description === undefined ? undefined : prose(description)
    )
    const heading = element("h2", {}, title)
    const list = element("ul", {})
    const rows = entries.map((entry) => ({ entry, card: operationCard(entry), link: contentsLink(entry) }))
    return { section, heading, list, rows }
  })
  at("loading").remove()
  return shown
}

const chosenSurface = () => document.querySelector("#surfaces input:checked").value

const surfaceNames = { all: "entries", rest: "REST operations", procedure: "procedures", tool: "tools" }

const byRank = (one, other) => one.rank - other.rank

/** Leaves what fits the search and the filter, what fits best first. Answers the card that fits best. */
const narrow = (shown) => {
  const asked = at("search").value.trim().toLowerCase()
  const surface = chosenSurface()
  const groups = shown
    .map((group) => {
      const fitting = group.rows
        .map((row) => ({
          ...row,
          rank: surface === "all" || row.entry.surface === surface ? rankOf(row.entry, asked) : undefined
        }))
        .filter(({ rank }) => rank !== undefined)
        .sort(byRank)
      return { ...group, fitting, rank: fitting[0]?.rank ?? Infinity }
    })
    .filter(({ fitting }) => fitting.length > 0)
    .sort(byRank)
  for (const { section, list, fitting } of groups) {
    for (const card of section.querySelectorAll(".operation")) card.remove()
    section.append(...fitting.map(({ card }) => card))
    list.replaceChildren(...fitting.map(({ link }) => link))
  }
  at("operations").replaceChildren(...groups.map(({ section }) => section))
  at("contents").replaceChildren(...groups.flatMap(({ heading, list }) => [heading, list]))
  const count = groups.reduce((sum, { fitting }) => sum + fitting.length, 0)
  at("none").hidden = count > 0
  const isWhole = asked === "" && surface === "all"
  at("status").textContent = isWhole ? "" : `${count} ${surfaceNames[surface]} ${count === 1 ? "fits" : "fit"}.`
  return groups[0]?.fitting[0].card
}

/** Opens what the address names: an operation, or the way to a key. */
const follow = () => {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  for (const link of at("contents").querySelectorAll("a")) {
    const isCurrent = link.hash === location.hash && location.hash !== ""
    if (!isCurrent) link.removeAttribute("aria-current")
    else {
      link.setAttribute("aria-current", "true")
      // The contents scroll on their own; the window goes to the operation, below.
      at("contents").scrollTop = link.offsetTop - at("contents").clientHeight / 2
    }
  }
  if (named === null || named.tagName !== "DETAILS") return
  named.open = true
  named.scrollIntoView()
}

/** After a search or a filter: what was found, and not what stands above it. */
const lookAt = () => {
  const target = at("none").hidden ? at("operations") : at("none")
  target.scrollIntoView({ behavior: "instant" })
}

const listen = (shown) => {
  const search = at("search")
  const showAll = () => {
    search.value = ""
    document.querySelector("#surfaces [value=all]").checked = true
    narrow(shown)
  }
  const find = () => {
    narrow(shown)
    lookAt()
  }
  search.addEventListener("input", find)
  at("surfaces").addEventListener("change", find)
  at("clear").addEventListener("click", () => {
    showAll()
    search.focus()
  })
  document.addEventListener("keydown", (event) => {
    const isTyping =
      event.target instanceof Element && event.target.matches("input:not([type=radio]), textarea, select")
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      search.focus()
    } else if (event.key === "Escape" && event.target === search) {
      search.value = ""
      narrow(shown)
    } else if (event.key === "Enter" && event.target === search) {
      const best = narrow(shown)
      if (best === undefined) return
      // Else the same press would close the card again: the focus moves onto its summary below.
      event.preventDefault()
      best.open = true
      best.scrollIntoView()
      best.querySelector("summary").focus()
    }
  })
  addEventListener("hashchange", () => {
    // A link may lead to what the search or the filter hides.
    if (document.getElementById(decodeURIComponent(location.hash.slice(1))) === null) showAll()
    follow()
  })
}

const read = async (path) => {
  const response = await fetch(path, { credentials: "omit" })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response.json()
}

try {
  const [api, catalog] = await Promise.all([read("openapi.json"), read("docs/catalog.json")])
  at("version").textContent = api.info.version
  const [first, ...rest] = prose(api.info.description)
  at("about").append(first)
  at("more").append(...rest)
  const groups = groupsOf(api, catalog)
  const shown = show(groups)
  listenForCredential()
  offerKeys(
    catalog.components.schemas.Scope.enum,
    groups.flatMap(({ entries }) => entries)
  )
  listen(shown)
  narrow(shown)
  follow()
} catch (cause) {
  at("operations").replaceChildren(
    element("p", { class: "problem" }, `The description could not be read: ${cause.message}. Reload to try again.`)
  )
}

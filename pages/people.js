/** The owner's part of the start page: signs in, invites people, and lists who is in and who is invited. */
import { copyable, element } from "./dom.js"
import { ask, at, refusalText, sayAtForm, signIn, signOut, submitting } from "./form.js"

let token

const day = (time) => new Date(time).toLocaleDateString()

/** A row of a list with a button that does something to it, after which everything is listed anew. */
const row = (text, action, work) =>
  element(
    "li",
    {},
    element("span", {}, text),
    action === undefined
      ? undefined
      : element(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": `${action} ${text}`,
            onclick: async () => {
              const { answer, isOk } = await work()
              sayAtForm(isOk ? "" : refusalText(answer), "owner-problem")
              await list()
            }
          },
          action
        )
  )

const personRow = ({ email, id, isOwner, isSuspended, name }) => {
  const text = `${name}${email === null || email === name ? "" : ` (${email})`}${isSuspended ? ", suspended" : ""}`
  return isOwner
    ? row(`${text}, owner`)
    : row(text, isSuspended ? "Let in again" : "Suspend", () =>
        ask("PATCH", `api/hub/people/${id}`, { isSuspended: !isSuspended }, token)
      )
}

const invitationRow = ({ expiresAt, id, note }) =>
  row(`${note ?? "Without a note"}, until ${day(expiresAt)}`, "Withdraw", () =>
    ask("DELETE", `api/hub/invitations/${id}`, undefined, token)
  )

/** Shows both lists at once: a list that came later would move the buttons below it while somebody presses them. */
const list = async () => {
  const [people, invitations] = await Promise.all([
    ask("GET", "api/hub/people?limit=200", undefined, token),
    ask("GET", "api/hub/invitations?limit=200", undefined, token)
  ])
  const refused = [people, invitations].find(({ isOk }) => !isOk)
  if (refused !== undefined) return sayAtForm(refusalText(refused.answer), "owner-problem")
  at("people").replaceChildren(...people.answer.map(personRow))
  const open = invitations.answer.filter(({ status }) => status === "open")
  at("invitations").replaceChildren(...open.map(invitationRow))
  at("no-invitations").hidden = open.length > 0
}

const enter = async () => {
  const { answer, isOk } = await signIn(at("email").value, at("password").value)
  if (!isOk) return sayAtForm(refusalText(answer))
  token = answer.token
  at("sign-in-form").reset()
  const people = await ask("GET", "api/hub/people?limit=1", undefined, token)
  if (!people.isOk) {
    await signOut(token)
    token = undefined
    return sayAtForm(refusalText(people.answer))
  }
  at("sign-in").hidden = true
  at("owner").hidden = false
  at("owner").focus()
  await list()
}

const invite = async () => {
  const note = at("note").value.trim()
  const { answer, isOk } = await ask("POST", "api/hub/invitations", note === "" ? {} : { note }, token)
  if (!isOk) return sayAtForm(refusalText(answer), "owner-problem")
  at("invite-form").reset()
  const link = new URL(`.${answer.joinPath}`, document.baseURI).href
  at("link").replaceChildren(copyable(link, "the invitation link").node)
  at("link-hint").hidden = false
  await list()
}

const leave = async () => {
  await signOut(token)
  token = undefined
  at("link").replaceChildren()
  at("link-hint").hidden = true
  at("owner").hidden = true
  at("sign-in").hidden = false
}

at("sign-in-form").addEventListener("submit", submitting(at("sign-in-button"), enter))
at("invite-form").addEventListener("submit", submitting(at("invite-button"), invite, "owner-problem"))
at("sign-out").addEventListener("click", leave)

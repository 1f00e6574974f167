/** The credential that the forms of the API reference send. */
import { at } from "./form.js"

/** Kept here and nowhere else: no storage, no address, no cookie. */
export const credential = { kind: "bearer", secret: "" }

/** Takes what is typed in, and tells the forms. */
const take = () => {
  credential.kind = at("credential-kind").value
  credential.secret = at("credential-secret").value.trim()
  document.dispatchEvent(new Event("credential"))
}

/** Puts a key or a sign-in token where the forms of the page take it from. */
export const useCredential = (kind, secret) => {
  at("credential-kind").value = kind
  at("credential-secret").value = secret
  take()
}

export const listenForCredential = () => {
  const form = at("credential")
  form.addEventListener("submit", (event) => event.preventDefault())
  form.addEventListener("input", take)
}

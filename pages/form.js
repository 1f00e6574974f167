/** What the pages with a form share: asking the pod, and saying what it found wrong beside the field it is about. */
export const at = (id) => document.getElementById(id)

/** Says what is wrong with a field; an empty text takes it back. */
export const say = (id, text) => {
  const problem = at(`${id}-problem`)
  problem.textContent = text
  problem.hidden = text === ""
  if (text === "") at(id).removeAttribute("aria-invalid")
  else at(id).setAttribute("aria-invalid", "true")
}

/** Says what is wrong with none of the fields. */
export const sayAtForm = (text, id = "problem") => {
  at(id).textContent = text
  at(id).hidden = text === ""
}

/** What a refusal says to people. */
export const refusalText = ({ error, message }) => message ?? error?.message ?? error ?? "The pod refused this."

/** Whether no field is wrong; otherwise the first one gets the focus. */
export const isFaultless = () => {
  const first = document.querySelector("[aria-invalid]")
  first?.focus()
  return first === null
}

/** Puts each fault that the pod found beside its field; `fields` says which name of the pod is which field. */
export const explain = (answer, fields, problem) => {
  const { details = [] } = answer
  const elsewhere = []
  for (const fault of Array.isArray(details) ? details : []) {
    const field = fields[fault.path]
    if (field === undefined) elsewhere.push(fault.message)
    else say(field, fault.message)
  }
  const text = elsewhere.length > 0 ? elsewhere.join(" ") : details.length > 0 ? "" : refusalText(answer)
  sayAtForm(text, problem)
  isFaultless()
}

/** One request to the pod. The token stays in this page and goes when it is left. */
export const ask = async (method, path, body, token) => {
  const response = await fetch(path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { "x-session-token": token })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    credentials: "omit"
  })
  return { isOk: response.ok, answer: await response.json() }
}

export const signIn = (email, password) => ask("POST", "auth/sign-in", { email: email.trim(), password })

export const signOut = (token) => ask("POST", "auth/sign-out", {}, token)

/** Runs the work of a form while its button waits. A pod that does not answer is said at the form. */
export const submitting =
  (button, work, problem = "problem") =>
  async (event) => {
    event.preventDefault()
    sayAtForm("", problem)
    button.disabled = true
    try {
      await work()
    } catch {
      sayAtForm("The pod did not answer. Is it still running? Try again.", problem)
    } finally {
      button.disabled = false
    }
  }

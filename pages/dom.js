/** Builds what the pages show. Text is always set as text: nothing an answer holds is ever read as markup. */

/** An element. `properties` beginning with "on" are listeners, others attributes; children are nodes or texts. */
export const element = (name, properties = {}, ...children) => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value)
    else made.setAttribute(key, value === true ? "" : value)
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== null))
  return made
}

const marks = [
  [/`([^`]+)`/, (text) => element("code", {}, text)],
  [/\*\*([^*]+)\*\*/, (text) => element("strong", {}, text)],
  [/\*([^*]+)\*/, (text) => element("em", {}, text)]
]

/** The words of one line, with `code`, **bold** and *emphasis*. */
export const inline = (text) => {
  for (const [form, make] of marks) {
    const found = form.exec(text)
    if (found !== null) {
      return [
        ...inline(text.slice(0, found.index)),
        make(found[1]),
        ...inline(text.slice(found.index + found[0].length))
      ]
    }
  }
  return text === "" ? [] : [text]
}

/** Paragraphs of a text, each as `inline` sets it. */
export const prose = (text = "") => text.split(/\n{2,}/).map((part) => element("p", {}, inline(part)))

/** Tells who does not see the page what happened. */
const announce = (text) => {
  const status = document.getElementById("status")
  if (status !== null) status.textContent = text
}

/** A block of code with a button that copies it. `update` replaces the code. */
export const copyable = (text, what) => {
  const code = element("code", {}, text)
  const button = element(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": `Copy ${what}`,
      onclick: async () => {
        const isCopied = await copy(code)
        button.textContent = isCopied ? "Copied" : "Press Ctrl+C"
        announce(isCopied ? `Copied ${what}.` : `Selected ${what}. Press Ctrl+C.`)
        setTimeout(() => (button.textContent = "Copy"), 2000)
      }
    },
    "Copy"
  )
  const node = element("div", { class: "copyable" }, button, element("pre", { tabindex: "0" }, code))
  return { node, update: (next) => (code.textContent = next) }
}

/** The clipboard is there in secure contexts alone; elsewhere the text is selected for the person to copy. */
const copy = async (code) => {
  try {
    await navigator.clipboard.writeText(code.textContent)
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    return false
  }
}

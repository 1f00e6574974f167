/**
 * Keeps the focus on the page. A browser drops it when the focused control is removed or disabled: after a link to another screen,
 * a deleted row, a form that starts anew. A person at the keyboard would then begin at the top, and hear nothing of where they are.
 */

const focusable =
  "a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), summary, [tabindex='0']"

/** The focused control with its surroundings, as they were when it got the focus. */
interface Held {
  readonly control: HTMLElement
  readonly ancestors: ReadonlyArray<Element>
  /** The controls of the same screen or dialog, in their order. */
  readonly controls: ReadonlyArray<HTMLElement>
  readonly signature: string
}

const dialogs = "[data-dialog]"
/** Messages come and go by themselves; whoever was in one goes back to the screen. */
const messages = "[data-messages]"

const controlsIn = (place: ParentNode) => [...place.querySelectorAll<HTMLElement>(focusable)]

/** What a control is to a person. A control that was made anew has the same signature. */
const signatureOf = (control: HTMLElement): string =>
  [
    control.tagName,
    control.getAttribute("name"),
    control.getAttribute("aria-label"),
    control.matches("input, select, textarea") ? control.id : control.textContent.trim()
  ].join("|")

const heldBy = (control: HTMLElement): Held => {
  const ancestors: Array<Element> = []
  for (let each = control.parentElement; each !== null; each = each.parentElement) ancestors.push(each)
  const place = control.closest(`main, ${dialogs}`) ?? document.body
  return { control, ancestors, controls: controlsIn(place), signature: signatureOf(control) }
}

const isUsable = (element: HTMLElement) =>
  element.isConnected && element.matches(focusable) && element.checkVisibility({ visibilityProperty: true })

/** A neighbour that takes the focus is no field: what a person types next, such as a shortcut, would go into it. */
const isNeighbour = (element: HTMLElement) => isUsable(element) && element.matches("a, button, summary")

/** The same control made anew, else the next one of the same screen, else the one before. */
const nearest = ({ ancestors, control, controls, signature }: Held): HTMLElement | undefined => {
  const around = ancestors.find((each) => each.isConnected && !each.contains(document.body) && each.id !== "root")
  const same =
    around === undefined
      ? undefined
      : controlsIn(around).find((each) => signatureOf(each) === signature && isUsable(each))
  if (same !== undefined) return same
  const at = controls.indexOf(control)
  return controls.slice(at + 1).find(isNeighbour) ?? controls.slice(0, Math.max(at, 0)).findLast(isNeighbour)
}

/** The heading of the screen: a new screen is read from there. */
const heading = (): HTMLElement | null =>
  document.querySelector<HTMLElement>("main h1") ?? document.querySelector<HTMLElement>("h1, main")

export const keepFocus = (): void => {
  let onScreen: Held | undefined
  let inDialog: Held | undefined
  let isKeyboard = false
  let isAsked = false

  addEventListener("keydown", () => (isKeyboard = true), true)
  addEventListener("pointerdown", () => (isKeyboard = false), true)
  addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement) || target === document.body || target.closest(messages) !== null) return
    if (target.closest(dialogs) === null) {
      onScreen = heldBy(target)
      inDialog = undefined
    } else inDialog = heldBy(target)
  })
  // A person who clicks beside every control, or a program that takes the focus away, means it. A removed control loses the focus
  // before it is gone, so the answer is known one frame later.
  addEventListener("focusout", ({ relatedTarget, target }) => {
    if (relatedTarget !== null || !(target instanceof HTMLElement)) return
    requestAnimationFrame(() => {
      if (!isUsable(target) || !hasNoFocus()) return
      onScreen = undefined
      inDialog = undefined
    })
  })

  const hasNoFocus = () => document.activeElement === null || document.activeElement === document.body

  const isLost = () => (onScreen !== undefined || inDialog !== undefined) && hasNoFocus()

  const restore = () => {
    if (!isLost()) return
    const dialog = [...document.querySelectorAll<HTMLElement>(dialogs)].at(-1)
    const held = dialog === undefined ? onScreen : inDialog
    const found =
      (held !== undefined && isUsable(held.control) ? held.control : undefined) ??
      (held === undefined ? undefined : nearest(held)) ??
      (dialog === undefined ? heading() : controlsIn(dialog)[0])
    if (found === null || found === undefined) return
    if (!found.matches(focusable) && found.getAttribute("tabindex") === null) found.tabIndex = -1
    found.focus({ preventScroll: !isKeyboard })
  }

  const check = () => {
    isAsked = false
    // The next frame: whoever closes a dialog or opens a screen may give the focus to a better place first.
    if (isLost()) requestAnimationFrame(() => requestAnimationFrame(restore))
  }

  new MutationObserver(() => {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(check)
  }).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled", "hidden", "class"]
  })
}

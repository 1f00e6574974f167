/**
 * Keeps the keyboard focus on the page. A browser loses the focus if the focused control is removed or disabled, for
 * example after a link to another screen, a deleted row or a reset form. A keyboard user would then start again at the
 * top of the page, and a screen reader would say nothing.
 */

const focusable =
  "a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), summary, [tabindex='0']"

/** The focused control with its surroundings, as they were when it got the focus. */
interface FocusPlace {
  readonly control: HTMLElement
  readonly ancestors: ReadonlyArray<Element>
  /** All controls of the screen or dialog that contains this control, in their order. */
  readonly controls: ReadonlyArray<HTMLElement>
  readonly signature: string
}

const dialogs = "[data-dialog]"
/**
 * The container of short messages. The focus in a message is not remembered, because messages disappear by themselves.
 */
const messages = "[data-messages]"

const controlsIn = (place: ParentNode) => [...place.querySelectorAll<HTMLElement>(focusable)]

/**
 * A text that identifies a control for a person. If the control is rendered again as a new element, the text is the
 * same.
 */
const signatureOf = (control: HTMLElement): string =>
  [
    control.tagName,
    control.getAttribute("name"),
    control.getAttribute("aria-label"),
    control.matches("input, select, textarea") ? control.id : control.textContent.trim()
  ].join("|")

const placeOf = (control: HTMLElement): FocusPlace => {
  const ancestors: Array<Element> = []
  for (let each = control.parentElement; each !== null; each = each.parentElement) ancestors.push(each)
  const place = control.closest(`main, ${dialogs}`) ?? document.body
  return { control, ancestors, controls: controlsIn(place), signature: signatureOf(control) }
}

const isUsable = (element: HTMLElement) =>
  element.isConnected && element.matches(focusable) && element.checkVisibility({ visibilityProperty: true })

/**
 * Whether a control near the removed one may take the focus. Input fields may not, because the next key, such as a
 * shortcut, would be typed into them.
 */
const isNeighbour = (element: HTMLElement) => isUsable(element) && element.matches("a, button, summary")

/**
 * Where the focus goes when its control is gone: to the new element of the same control, else to the next control of
 * the screen, else to the previous one.
 */
const nearest = ({ ancestors, control, controls, signature }: FocusPlace): HTMLElement | undefined => {
  const around = ancestors.find((each) => each.isConnected && !each.contains(document.body) && each.id !== "root")
  const same =
    around === undefined
      ? undefined
      : controlsIn(around).find((each) => signatureOf(each) === signature && isUsable(each))
  if (same !== undefined) return same
  const at = controls.indexOf(control)
  return controls.slice(at + 1).find(isNeighbour) ?? controls.slice(0, Math.max(at, 0)).findLast(isNeighbour)
}

/** The heading of the screen. When a new screen opens, its heading gets the focus. */
const heading = (): HTMLElement | null =>
  document.querySelector<HTMLElement>("main h1") ?? document.querySelector<HTMLElement>("h1, main")

export const keepFocus = (): void => {
  let onScreen: FocusPlace | undefined
  let inDialog: FocusPlace | undefined
  let isKeyboard = false
  let isAsked = false

  addEventListener("keydown", () => (isKeyboard = true), true)
  addEventListener("pointerdown", () => (isKeyboard = false), true)
  addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement) || target === document.body || target.closest(messages) !== null) return
    if (target.closest(dialogs) === null) {
      onScreen = placeOf(target)
      inDialog = undefined
    } else inDialog = placeOf(target)
  })
  // If the control still exists one frame later, the focus was taken away on purpose, for example by a click on empty
  // space. Then it is not restored. A removed control loses the focus before it is gone, so the check needs this frame.
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
    const lastPlace = dialog === undefined ? onScreen : inDialog
    const found =
      (lastPlace !== undefined && isUsable(lastPlace.control) ? lastPlace.control : undefined) ??
      (lastPlace === undefined ? undefined : nearest(lastPlace)) ??
      (dialog === undefined ? heading() : controlsIn(dialog)[0])
    if (found === null || found === undefined) return
    if (!found.matches(focusable) && found.getAttribute("tabindex") === null) found.tabIndex = -1
    found.focus({ preventScroll: !isKeyboard })
  }

  const check = () => {
    isAsked = false
    // The focus is restored two frames later, so that a closing dialog or a new screen can first move it to a better
    // place.
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

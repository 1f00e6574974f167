/**
 * Keeps the keyboard focus on the page. A browser drops the focus if the focused control is removed or disabled, for
 * example after a link to another screen, a deleted row or a reset form. A keyboard user would then start again at the
 * top of the page, and a screen reader would be silent.
 */

const focusable =
  "a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), summary, [tabindex='0']"

/** The focused control with its surroundings, recorded when it got the focus. */
interface FocusPlace {
  readonly control: HTMLElement
  readonly ancestors: ReadonlyArray<Element>
  /** All controls of the same screen or dialog, in their order. */
  readonly controls: ReadonlyArray<HTMLElement>
  readonly signature: string
}

const dialogs = "[data-dialog]"
/**
 * The container of short messages. A focused control in a message is not remembered, because messages disappear by
 * themselves.
 */
const messages = "[data-messages]"

const controlsIn = (place: ParentNode) => [...place.querySelectorAll<HTMLElement>(focusable)]

/**
 * Returns the text by which a control is recognized again. If React renders a control again as a new element, the new
 * element has the same text.
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
 * True if this control is allowed to get the focus of a removed control near it. An input field is not allowed to get
 * the focus, because the next typed key, such as a shortcut, would go into the field.
 */
const isNeighbour = (element: HTMLElement) => isUsable(element) && element.matches("a, button, summary")

/**
 * Finds the control that gets the focus of a removed control. It is the new element of the same control, or the next
 * control of the screen, or the previous one.
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

/** The heading of the screen. It gets the focus when a new screen opens. */
const headingElement = (): HTMLElement | null =>
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
  // A removed control loses the focus before it disappears, so this check waits one animation frame. If the control
  // still exists then, the person moved the focus on purpose, for example by a click on empty space. In that case the
  // focus is not restored.
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
      (dialog === undefined ? headingElement() : controlsIn(dialog)[0])
    if (found === null || found === undefined) return
    if (!found.matches(focusable) && found.getAttribute("tabindex") === null) found.tabIndex = -1
    found.focus({ preventScroll: !isKeyboard })
  }

  const check = () => {
    isAsked = false
    // The focus returns two animation frames later, so that a closing dialog or a new screen can first move it to a
    // better place.
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

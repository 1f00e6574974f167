/** The theme of the console: light, dark, or the theme of the system. */
export type Theme = "system" | "light" | "dark"

const storageKey = "pod-theme"

/** Returns the theme with this name. Returns `system` if there is no such theme. */
export const themeOf = (name: string | null): Theme => (name === "light" || name === "dark" ? name : "system")

export const storedTheme = (): Theme => themeOf(localStorage.getItem(storageKey))

export const applyTheme = (theme: Theme): void => {
  if (theme === "system") {
    localStorage.removeItem(storageKey)
    delete document.documentElement.dataset["theme"]
  } else {
    localStorage.setItem(storageKey, theme)
    document.documentElement.dataset["theme"] = theme
  }
}

/** The parts of the settings, in the order of their tabs. */
export const settingsParts = ["Account", "People", "Notifications", "Preferences", "Vault", "Audit"] as const
export type SettingsPart = (typeof settingsParts)[number]

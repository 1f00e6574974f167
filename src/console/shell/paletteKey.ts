/** Returns how the keyboards of a platform (`navigator.platform`) name the key that opens the palette. */
export const paletteKey = (platform: string): string => (/^(Mac|iP)/.test(platform) ? "⌘K" : "Ctrl K")

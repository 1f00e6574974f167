/** Writes a size for people: in whole kB, or in MB or GB with one decimal digit. */
export const sizeText = (bytes: number): string => {
  if (bytes < mega) return `${Math.ceil(bytes / 1024)} kB`
  return bytes < giga ? `${(bytes / mega).toFixed(1)} MB` : `${(bytes / giga).toFixed(1)} GB`
}
const mega = 1_048_576
const giga = 1_073_741_824

/** Makes the browser save text or bytes as a file, without a request to the pod. */
export const saveFile = (name: string, content: BlobPart, type = "application/json"): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** The mark by which the pod recognises a sample workspace, even after somebody renames it. */

export const sampleTemplate = "pod-demo"
export const sampleType = "project"

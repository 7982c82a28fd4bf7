/** The most labels of one file, and of one component in it. */
export const maxLabelsPerJob = 10_000
export const maxCopies = 100

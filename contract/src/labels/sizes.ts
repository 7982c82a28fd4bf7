/** The label sizes in inches (specification, 'Labels'), largest first. */
export const labelSizes = {
  '4x1.5': { key: '4x1.5', name: 'standard', width: 4, height: 1.5 },
  '3x1': { key: '3x1', name: 'compact', width: 3, height: 1 },
  '2x1': { key: '2x1', name: 'small', width: 2, height: 1 },
} as const

export type LabelSizeKey = keyof typeof labelSizes
export type LabelSize = (typeof labelSizes)[LabelSizeKey]

export const defaultLabelSize: LabelSizeKey = '4x1.5'

export const pointsPerInch = 72

import { labelLogoLimits, type LabelLogo } from '@inventory-manager/contract/labels/logo'

/** How a picture of these sides fits into what labels take. */
function fitted({ naturalWidth, naturalHeight }: HTMLImageElement): { width: number; height: number } {
  // A picture of shapes may have no size of its own.
  const [width, height] = [naturalWidth || labelLogoLimits.width, naturalHeight || labelLogoLimits.height]
  const scale = Math.min(labelLogoLimits.width / width, labelLogoLimits.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The brightness of each dot on white paper, 0 to 255. */
async function brightness(url: string): Promise<{ width: number; values: number[] }> {
  const image = new Image()
  image.src = url
  await image.decode()
  const { width, height } = fitted(image)
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser cannot draw pictures.')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.drawImage(image, 0, 0, width, height)
  const { data } = context.getImageData(0, 0, width, height)
  const at = (dot: number) =>
    0.2126 * (data[dot] ?? 0) + 0.7152 * (data[dot + 1] ?? 0) + 0.0722 * (data[dot + 2] ?? 0)
  return { width, values: Array.from({ length: width * height }, (_, dot) => at(dot * 4)) }
}

/** Without white margins. */
function trimmed(rows: readonly string[]): LabelLogo {
  const black = rows.filter((row) => row.includes('1'))
  const left = Math.min(...black.map((row) => row.indexOf('1')))
  const right = Math.max(...black.map((row) => row.lastIndexOf('1')))
  const top = rows.findIndex((row) => row.includes('1'))
  const bottom = rows.findLastIndex((row) => row.includes('1'))
  return rows.slice(top, bottom + 1).map((row) => row.slice(left, right + 1))
}

/** Makes a picture black and white for labels, divided half way between its darkest and its brightest dot. */
export async function dotsOf(url: string): Promise<LabelLogo> {
  const { width, values } = await brightness(url)
  const [darkest, brightest] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [255, 0],
  )
  if (brightest - darkest < 16)
    throw new Error('This logo has nothing dark on light that a label could show.')
  const middle = (darkest + brightest) / 2
  const signs = values.map((value) => (value < middle ? '1' : '0')).join('')
  return trimmed(signs.match(new RegExp(`.{${width}}`, 'g')) ?? [])
}

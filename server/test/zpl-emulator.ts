import { ready } from 'zpl-renderer-js'

/** The labels of a ZPL file as pictures (PNG), drawn by an emulator of a thermal printer. */
export async function renderZpl(
  zpl: string,
  { width, height, dpi }: { width: number; height: number; dpi: 203 | 300 },
): Promise<Buffer[]> {
  const { api } = await ready
  // Printers of 203 dpi have 8 dots a millimetre, of 300 dpi 12: a hair more than they are called.
  const dotsPerMillimetre = dpi === 203 ? 8 : 12
  const millimetres = (inches: number) => Math.floor(inches * dpi) / dotsPerMillimetre
  const pictures = await api.zplToBase64MultipleAsync(
    zpl,
    millimetres(width),
    millimetres(height),
    dotsPerMillimetre,
  )
  return pictures.map((picture) => Buffer.from(picture, 'base64'))
}

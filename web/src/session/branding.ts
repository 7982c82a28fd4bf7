import { getLogo } from '@inventory-manager/contract/company/settings-endpoints'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCompanySettings } from './company-settings.ts'

/**
 * The accent's shades, from one colour: its own lightness carries white text (checked when it was set); the others keep
 * the hue and take the lightness that the standard shades have, so that their contrast is the same.
 */
function shadesOf(colour: string): Record<string, string> {
  const shade = (lightness: number, chroma: number) =>
    `oklch(from ${colour} ${lightness} min(c, ${chroma}) h)`
  const text = `light-dark(${shade(0.43, 0.15)}, ${shade(0.82, 0.1)})`
  return {
    '--color-accent': colour,
    '--color-accent-strong': `oklch(from ${colour} calc(l - 0.07) c h)`,
    '--color-accent-soft': `light-dark(${shade(0.955, 0.022)}, ${shade(0.29, 0.06)})`,
    '--color-accent-text': text,
    '--color-focus': text,
  }
}

/** A picture as an address that holds it: as an image's source it can neither run nor load anything. */
async function toDataUrl(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return `data:${blob.type};base64,${btoa(text)}`
}

/** Wears the company's colour while signed in. For the whole page once: who leaves takes the colour along. */
export function useCompanyColour(): void {
  const { data } = useCompanySettings()
  const colour = data?.accent_colour ?? null

  useEffect(() => {
    if (colour === null) return undefined
    const { style } = document.documentElement
    const shades = Object.entries(shadesOf(colour))
    for (const [name, value] of shades) style.setProperty(name, value)
    return () => {
      for (const [name] of shades) style.removeProperty(name)
    }
  }, [colour])
}

/** The address of the company's logo in this page. */
export function useLogoUrl(): string | null {
  const { data } = useCompanySettings()
  const version = data?.logo ?? null
  const logo = useQuery({
    queryKey: [getLogo.path, version],
    queryFn: async ({ signal }) => {
      // Few companies have a logo, and sign-in must not wait for what reads one.
      const { callForFile } = await import('../api/file-client.ts')
      return await toDataUrl((await callForFile(getLogo, {}, { signal })).blob)
    },
    enabled: version !== null,
    staleTime: Infinity,
  })
  return version === null ? null : (logo.data ?? null)
}

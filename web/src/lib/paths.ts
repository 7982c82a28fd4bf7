/** The addresses of the screens (specification 2). */
export const paths = {
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  invitation: '/invitation',
  newPassword: '/new-password',
  confirmEmail: '/confirm-email',
  overview: '/overview',
  graphs: '/graphs',
  generateLabels: '/generate-labels',
  printSettings: '/print-settings',
  monthlyCount: '/monthly-count',
  weeklyCount: '/weekly-count',
  auditTrail: '/audit-trail',
  discrepancies: '/discrepancies',
  accuracy: '/accuracy',
  unknownCodes: '/unknown-codes',
  countRoom: '/count-room',
  components: '/components',
  /** Of one component; `componentPath` fills it in. */
  component: '/components/:barcode',
  changeComponents: '/change-components',
  transfers: '/transfers',
  importComponents: '/import',
  exports: '/exports',
  team: '/team',
  plan: '/plan',
  settings: '/settings',
  apiAccess: '/api-access',
  account: '/account',
} as const

/** The components that are low. */
export const lowPath = `${paths.components}?state=low`

/** The components in stock that have no unit cost, for administrators. */
export const uncostedPath = `${paths.components}?state=uncosted`

/** Where one component is shown. */
export function componentPath(barcode: string): string {
  return `${paths.components}/${encodeURIComponent(barcode)}`
}

/** A screen that opens with one component: chosen, or as its filter. */
export function pathFor(screen: typeof paths.printSettings | typeof paths.auditTrail, sku: string): string {
  return `${screen}?${new URLSearchParams({ sku }).toString()}`
}

export type ExportOf = { text: string; state?: 'low' | 'not_kept' | 'uncosted'; location?: string }

/** The exports screen, with the components that a text finds, or those of them that are low or not kept, at a location if one is given, or have no unit cost. */
export function exportPath({ text, ...of }: ExportOf): string {
  const asked = new URLSearchParams(text === '' ? of : { text, ...of }).toString()
  return asked === '' ? paths.exports : `${paths.exports}?${asked}`
}

type CertificateOf = { location: string; session?: string; month?: string }

/** The accuracy screen, with the certificate of a location's month to be chosen, the present one if none is named, or of a counting session in it. */
export function certificatePath({ location, ...of }: CertificateOf): string {
  return `${paths.accuracy}?${new URLSearchParams({ certificate: location, ...of }).toString()}`
}

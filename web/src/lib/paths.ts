/** The addresses of the screens (specification 2, 'Route table'). */
export const paths = {
  login: '/login',
  register: '/register',
  overview: '/overview',
  graphs: '/graphs',
  generateLabels: '/generate-labels',
  printSettings: '/print-settings',
  monthlyCount: '/monthly-count',
  weeklyCount: '/weekly-count',
  auditTrail: '/audit-trail',
  discrepancies: '/discrepancies',
  unknownCodes: '/unknown-codes',
  countRoom: '/count-room',
} as const

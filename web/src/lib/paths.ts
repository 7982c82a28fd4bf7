/** The addresses of the screens (specification 2, 'Route table'). */
export const paths = {
  login: '/login',
  register: '/register',
  overview: '/overview',
  generateLabels: '/generate-labels',
  printSettings: '/print-settings',
  monthlyCount: '/monthly-count',
  auditTrail: '/audit-trail',
} as const

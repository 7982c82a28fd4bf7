/** The addresses of the screens (specification 2, 'Route table'). */
export const paths = {
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  invitation: '/invitation',
  newPassword: '/new-password',
  overview: '/overview',
  graphs: '/graphs',
  generateLabels: '/generate-labels',
  printSettings: '/print-settings',
  monthlyCount: '/monthly-count',
  weeklyCount: '/weekly-count',
  auditTrail: '/audit-trail',
  team: '/team',
  plan: '/plan',
  settings: '/settings',
  account: '/account',
} as const

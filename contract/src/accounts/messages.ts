const browserFailed = 'This browser failed. Reload the page, or use a newer browser.'

/** Sentences of sign-in and registration (specification 5 and 8). */
export const loginMessages = {
  bothRequired: 'Please enter both email and password.',
  emailFormat: 'Please enter a valid email address.',
  noServerText: 'Login failed. Please check your credentials.',
  timeout: 'Request timeout. Please check your connection and try again.',
  network: 'Cannot connect to server. Please check your internet connection.',
  server: 'Server error. Please try again in a few minutes.',
  credentials: 'Invalid email or password. Please try again.',
  other: 'Login failed. Please check your credentials and try again.',
  browser: browserFailed,
} as const

export const registrationMessages = {
  companyRequired: 'Company name is required',
  nameRequired: 'Your name is required',
  emailRequired: 'Email address is required',
  emailFormat: 'Please enter a valid email address',
  passwordRequired: 'Password is required',
  passwordLength: 'Password must be at least 4 characters long',
  timeout: 'Registration is taking longer than expected. Please try again or check your internet connection.',
  network: 'Cannot connect to server. Please check your internet connection and try again.',
  server: 'Server error. Please try again in a few minutes.',
  invalid: 'Invalid registration data. Please check your information and try again.',
  taken: 'An account with this email already exists. Please try logging in instead.',
  badReply: 'Server error. Please try again later.',
  other: 'Registration failed. Please check your information and try again.',
  browser: browserFailed,
} as const

/** Sentences of the one-time links: invitations, forgotten passwords and addresses to confirm. */
export const linkMessages = {
  mailSent: 'If this address has an account, a link to set a new password is on its way.',
  noMakerAnyMore:
    'The person who made this link is no longer an administrator. Ask an administrator for a new one.',
  sendAnother: 'This link is no longer valid. Sign in and send another one from Account.',
  askAdministrator:
    'Ask an administrator of your company: under Team they can make a link by which you set a new password. If you are its only administrator, ask whoever runs this installation for one.',
} as const

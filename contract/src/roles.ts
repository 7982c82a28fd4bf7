/** The role of a user, which is also the user type (specification 6). */
export const roles = ['admin', 'user'] as const

export type Role = (typeof roles)[number]

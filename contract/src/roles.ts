/** The role of a person, which is also the user type (specification 6). */
export const roles = ['admin', 'user'] as const

export type Role = (typeof roles)[number]

/** Who can stand in a record as its actor: a person of a role, or an API key. */
export const userTypes = [...roles, 'api_key'] as const

export type UserType = (typeof userTypes)[number]

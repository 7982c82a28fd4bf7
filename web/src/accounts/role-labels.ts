import type { Role } from '@inventory-manager/contract/roles'

export const roleLabels: Record<Role, string> = { admin: 'Administrator', user: 'User' }

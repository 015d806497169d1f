"""Roles as pages and addresses name them."""

from tatc.actions import Role

ROLES_BY_NAME = {"follower": Role.FOLLOWER, "commander": Role.COMMANDER}
ROLE_NAMES = {role: name for name, role in ROLES_BY_NAME.items()}

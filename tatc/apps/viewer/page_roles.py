"""Roles as pages and addresses name them."""

from tatc.home.actions import ROLES_BY_NAME

ROLE_NAMES = {role: name for name, role in ROLES_BY_NAME.items()}

# SPDX-License-Identifier: Apache-2.0
"""What tools/site makes the documentation site with."""

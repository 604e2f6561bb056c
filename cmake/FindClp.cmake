# SPDX-License-Identifier: Apache-2.0
# Finds Debian's Clp, which has no CMake package of its own; defines the target Clp::Clp.
find_path(Clp_INCLUDE_DIR ClpSimplex.hpp PATH_SUFFIXES coin)
find_library(Clp_LIBRARY Clp)
find_library(CoinUtils_LIBRARY CoinUtils)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Clp
  REQUIRED_VARS Clp_LIBRARY CoinUtils_LIBRARY Clp_INCLUDE_DIR)
if(Clp_FOUND AND NOT TARGET Clp::Clp)
  add_library(Clp::Clp UNKNOWN IMPORTED)
  set_target_properties(Clp::Clp PROPERTIES IMPORTED_LOCATION "${Clp_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Clp_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${CoinUtils_LIBRARY}")
endif()

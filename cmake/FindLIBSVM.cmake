# SPDX-License-Identifier: Apache-2.0
# Finds Debian's libsvm, which has no CMake package of its own; defines the target LIBSVM::LIBSVM.
find_path(LIBSVM_INCLUDE_DIR libsvm/svm.h)
find_library(LIBSVM_LIBRARY svm)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LIBSVM REQUIRED_VARS LIBSVM_LIBRARY LIBSVM_INCLUDE_DIR)
if(LIBSVM_FOUND AND NOT TARGET LIBSVM::LIBSVM)
  add_library(LIBSVM::LIBSVM UNKNOWN IMPORTED)
  set_target_properties(LIBSVM::LIBSVM PROPERTIES IMPORTED_LOCATION "${LIBSVM_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LIBSVM_INCLUDE_DIR}")
endif()

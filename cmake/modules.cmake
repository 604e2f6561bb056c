# SPDX-License-Identifier: Apache-2.0
# posse_module(NAME SOURCE LIBRARIES…): lib/posse/posse-NAME.so, which links the libraries and is loaded
# at its first use (src/core/base/module.hpp). It uses headers of Posse, but nothing of libposse.
function(posse_module name source)
  add_library(posse_module_${name} MODULE ${source})
  set_target_properties(posse_module_${name} PROPERTIES PREFIX "" OUTPUT_NAME posse-${name}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/posse)
  target_include_directories(posse_module_${name} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR})
  target_link_libraries(posse_module_${name} PRIVATE ${ARGN} posse_flags)
  # With clang, the program has the sanitizers' functions.
  target_link_options(posse_module_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wl,--no-undefined>)
  install(TARGETS posse_module_${name} DESTINATION ${CMAKE_INSTALL_LIBDIR}/posse COMPONENT library)
endfunction()

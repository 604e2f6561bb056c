# SPDX-License-Identifier: Apache-2.0
# libposse: the libraries of src and actors as one. The program, plug-ins and the Python module share
# it.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/library.cpp CONTENT "")
add_library(posse_library SHARED ${CMAKE_BINARY_DIR}/library.cpp)
add_library(posse::library ALIAS posse_library)
configure_file(cmake/package/symbols.map.in symbols.map @ONLY)
set_target_properties(posse_library PROPERTIES OUTPUT_NAME posse EXPORT_NAME posse
  VERSION ${PROJECT_VERSION} SOVERSION 0
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib LINK_DEPENDS ${CMAKE_BINARY_DIR}/symbols.map)
target_link_libraries(posse_library PRIVATE posse_program)
# All objects, in this order: the linker takes the first of several copies of an inline function, and
# the program's are not built for speed.
target_link_options(posse_library PRIVATE -Wl,--whole-archive)
foreach(part core systems host program)
  target_link_options(posse_library PRIVATE $<TARGET_FILE:posse_${part}>)
endforeach()
target_link_options(posse_library PRIVATE -Wl,--no-whole-archive
  -Wl,--version-script=${CMAKE_BINARY_DIR}/symbols.map -Wl,-Bsymbolic -Wl,--no-undefined)
# Headers of the C++ interface use these.
target_link_libraries(posse_library INTERFACE fmt::fmt Eigen3::Eigen Boost::headers Threads::Threads)
target_include_directories(posse_library INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/posse>)
target_compile_definitions(posse_library INTERFACE EIGEN_DONT_VECTORIZE EIGEN_NO_CPUID)
target_compile_features(posse_library INTERFACE cxx_std_20)

# What the program links where it is built with a sanitizer.
add_library(posse_library_address INTERFACE)
target_link_libraries(posse_library_address INTERFACE posse_program_address)

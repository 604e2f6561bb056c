# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` installs, and the Debian packages that `cpack -G DEB` makes of it:
#   program      posse         the program, its manual pages, completion for shells, the scenarios
#   library      libposse0     the shared library
#   development  libposse-dev  headers, static libraries, CMake and pkg-config files
#   python       python3-posse the Python package (src/python/CMakeLists.txt), if it was built
include(CMakePackageConfigHelpers)

# Made from the program's own flags.
set(pages ${CMAKE_BINARY_DIR}/pages)
file(MAKE_DIRECTORY ${pages}/man)
add_custom_command(OUTPUT ${pages}/posse.bash ${pages}/_posse ${pages}/posse.fish ${pages}/man/posse.1.gz
  COMMAND posse completion bash > ${pages}/posse.bash
  COMMAND posse completion zsh > ${pages}/_posse
  COMMAND posse completion fish > ${pages}/posse.fish
  COMMAND posse manual ${pages}/man
  COMMAND gzip -9nf ${pages}/man/*.1
  DEPENDS posse COMMENT "Writing manual pages and completions")
add_custom_target(pages ALL DEPENDS ${pages}/man/posse.1.gz)

# Below another prefix than /usr the program finds the library beside it.
file(RELATIVE_PATH to_libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(posse PROPERTIES INSTALL_RPATH $ORIGIN/${to_libraries})
install(TARGETS posse RUNTIME COMPONENT program)
install(CODE "if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
  file(RPATH_REMOVE FILE \"\$ENV{DESTDIR}/usr/${CMAKE_INSTALL_BINDIR}/posse\")
endif()" COMPONENT program)
install(DIRECTORY scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/posse COMPONENT program
  USE_SOURCE_PERMISSIONS)
install(DIRECTORY ${pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program
  FILES_MATCHING PATTERN *.1.gz)
install(FILES ${pages}/posse.bash RENAME posse
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${pages}/_posse
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${pages}/posse.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(FILES README.md CHANGELOG.md PAPERS.md CITATION.cff
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/posse COMPONENT program)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/posse COMPONENT program
  PATTERN docs/site/maker EXCLUDE)

set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/posse)
install(TARGETS posse_library EXPORT posse-targets
  LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS posse_core posse_systems posse_host posse_program posse_flags EXPORT posse-static-targets
  ARCHIVE COMPONENT development)
foreach(targets posse-targets posse-static-targets)
  install(EXPORT ${targets} NAMESPACE posse:: DESTINATION ${cmake_folder} COMPONENT development)
endforeach()
configure_package_config_file(cmake/package/posse-config.cmake.in posse-config.cmake
  INSTALL_DESTINATION ${cmake_folder})
write_basic_package_version_file(posse-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/posse-config.cmake ${CMAKE_BINARY_DIR}/posse-config-version.cmake
  cmake/FindCAF.cmake cmake/FindSLEEF.cmake
  DESTINATION ${cmake_folder} COMPONENT development)
file(RELATIVE_PATH from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/package/posse.pc.in posse.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/posse.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)
# An algorithm's headers are below include/posse as they are here below src.
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/posse)
install(FILES src/program/library/posse.h src/program/library/role.hpp src/program/library/program.hpp
  DESTINATION ${headers} COMPONENT development)
install(DIRECTORY src/core DESTINATION ${headers} COMPONENT development FILES_MATCHING PATTERN *.hpp)
install(DIRECTORY actors/common DESTINATION ${headers}/actors COMPONENT development
  FILES_MATCHING PATTERN *.hpp)
install(FILES src/program/cli/cli.hpp DESTINATION ${headers}/program/cli COMPONENT development)
install(FILES src/program/scenario/catalog.hpp DESTINATION ${headers}/program/scenario
  COMPONENT development)

# Debian packages.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME posse)
set(CPACK_PACKAGE_CONTACT "The Posse authors <posse@localhost>")
set(CPACK_PACKAGE_HOMEPAGE_URL "")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(same_version "(= ${PROJECT_VERSION})")
execute_process(COMMAND gzip -9nc ${CMAKE_SOURCE_DIR}/debian/changelog
  OUTPUT_FILE ${CMAKE_BINARY_DIR}/changelog.gz COMMAND_ERROR_IS_FATAL ANY)
function(posse_debian_package component package section depends description)
  string(TOUPPER ${component} name)
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${package} PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${name}_DESCRIPTION "${description}" PARENT_SCOPE)
  install(FILES debian/copyright ${CMAKE_BINARY_DIR}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endfunction()
posse_debian_package(program posse science "libposse0 ${same_version}"
  "simulator of distributed bandit algorithms on a faulty network
Runs X-armed, federated and functional bandits as actors over a simulated
network with latency, loss and crashes, and accounts for every round, message
and byte.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS librsvg2-bin)
posse_debian_package(library libposse0 libs ""
  "simulator of distributed bandit algorithms, shared library
The C interface loads and runs scenarios and asks learners for points.")
posse_debian_package(development libposse-dev libdevel
  "libposse0 ${same_version}, libfmt-dev, libeigen3-dev, libboost-dev, librandom123-dev"
  "simulator of distributed bandit algorithms, development files
The C interface, the C++ interface for algorithms of one's own, CMake and
pkg-config files.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/triggers)
file(WRITE ${CMAKE_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
set(CPACK_COMPONENTS_ALL program library development)
if(TARGET posse_python)
  posse_debian_package(python python3-posse python
    "libposse0 ${same_version}, python3 (>= 3.11), python3 (<< 3.12), python3-numpy"
    "simulator of distributed bandit algorithms, Python package
Runs scenarios, with results as NumPy arrays, has learners as objects, also
with PyXAB's interface, and algorithms written in Python.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-matplotlib, python3-pandas")
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
include(CPack)

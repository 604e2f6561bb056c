# SPDX-License-Identifier: Apache-2.0
# Every library and the program also exist as NAME_address and NAME_thread, built with a sanitizer and
# only when something needs them. Tests link them.

# address: with undefined behaviour. A null dereference ends in the address sanitizer anyway; the
# four checks that are left out would add half to the build time.
set(posse_address_flags -fsanitize=address,undefined -fno-sanitize-recover=all
  -fno-sanitize=null,alignment,object-size,vptr)
# libFuzzer: coverage for every file, and clang's further checks; CAF's headers trip `function`. What
# is reached within nlohmann-json doesn't count: following it takes a fifth of the time.
macro(posse_fuzz_everything)
  set(posse_uncounted ${CMAKE_BINARY_DIR}/uncounted.txt)
  file(CONFIGURE OUTPUT ${posse_uncounted} CONTENT "fun:*nlohmann*\n")
  add_compile_options(${posse_address_flags} -fno-sanitize=function -fsanitize=fuzzer-no-link
    -fsanitize-coverage-ignorelist=${posse_uncounted})
  add_link_options(${posse_address_flags} -fno-sanitize=function)
endmacro()
set(posse_thread_flags -fsanitize=thread -Wno-tsan)  # Boost.Asio's fences

foreach(sanitizer address thread)
  add_library(posse_flags_${sanitizer} INTERFACE)
  target_compile_options(posse_flags_${sanitizer} INTERFACE
    ${posse_${sanitizer}_flags} -Og -g1 -fno-omit-frame-pointer -fno-tree-vectorize)
  target_link_options(posse_flags_${sanitizer} INTERFACE ${posse_${sanitizer}_flags})
endforeach()

# posse_add_sanitized(TARGET SANITIZER): TARGET_SANITIZER from the same sources, linked with the
# libraries of Posse that are built likewise. Call it last, in TARGET's folder.
function(posse_add_sanitized target sanitizer)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    add_executable(${target}_${sanitizer} EXCLUDE_FROM_ALL)
  else()
    add_library(${target}_${sanitizer} STATIC EXCLUDE_FROM_ALL)
  endif()
  foreach(property SOURCES INCLUDE_DIRECTORIES INTERFACE_INCLUDE_DIRECTORIES COMPILE_DEFINITIONS
      INTERFACE_COMPILE_DEFINITIONS COMPILE_OPTIONS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(value ${target} ${property})
    if(value)
      list(TRANSFORM value REPLACE "posse::([a-z]+)" "posse_\\1_${sanitizer}")
      set_target_properties(${target}_${sanitizer} PROPERTIES ${property} "${value}")
    endif()
  endforeach()
  target_link_libraries(${target}_${sanitizer} PRIVATE posse_flags_${sanitizer})
  get_target_property(dependencies ${target} MANUALLY_ADDED_DEPENDENCIES)
  if(dependencies)
    add_dependencies(${target}_${sanitizer} ${dependencies})
  endif()
endfunction()

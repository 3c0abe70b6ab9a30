# The kinds of target this tree has. Sources are globbed: adding a file is enough.

# deputy_library(NAME LINKS…): the folder src/NAME as a static library.
function(deputy_library name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  joined(files ${name} ${sources})
  add_library(${name} STATIC ${files})
  target_link_libraries(${name} PUBLIC ${ARGN})
  use_precompiled(${name})
endfunction()

# deputy_program(NAME SOURCES… LINKS…): an executable.
function(deputy_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  joined(files ${name} ${arg_SOURCES})
  add_executable(${name} ${files})
  target_link_libraries(${name} PRIVATE ${arg_LINKS})
  use_precompiled(${name})
endfunction()

# Fuzzers measure how much of the product they reach. Without that count in the tests' own code a test file compiles a quarter faster.
function(without_coverage target)
  if(DEPUTY_KIND STREQUAL "asan")
    target_compile_options(${target} PRIVATE -fno-sanitize-coverage=trace-cmp,indirect-calls,inline-8bit-counters,pc-table,stack-depth)
  endif()
endfunction()

# deputy_test(NAME LABEL SECONDS [THREADED] LINKS… SOURCES… EXCLUDE…): every *_test.cpp of this folder and below, and SOURCES, as one GoogleTest
# program; a folder of EXCLUDE has a program of its own. Suites whose name ends in Property run under the label `property`, all others
# under LABEL. THREADED programs are built and run under tsan too.
function(deputy_test name label seconds)
  cmake_parse_arguments(arg "THREADED" "" "LINKS;SOURCES;EXCLUDE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp")
  foreach(folder IN LISTS arg_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
  endforeach()
  deputy_program(${name}_test SOURCES ${sources} ${arg_SOURCES} LINKS ${arg_LINKS} support GTest::gmock GTest::gtest_main)
  without_coverage(${name}_test)
  if(DEPUTY_KIND STREQUAL "tsan")
    if(arg_THREADED)
      add_dependencies(threaded ${name}_test)
      add_gtest(${name} ${name}_test tsan ${seconds} "*")
    endif()
    return()
  endif()
  add_gtest(${name} ${name}_test ${label} ${seconds} "-*Property.*")
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" found LIMIT_COUNT 1 REGEX "[(][A-Za-z]*Property,")
    if(found)
      add_gtest(${name}_property ${name}_test property ${seconds} "*Property.*")
      return()
    endif()
  endforeach()
endfunction()

function(add_gtest name program label seconds filter)
  add_test(NAME ${name} COMMAND ${program} --gtest_filter=${filter} --gtest_brief=1
           --gtest_output=xml:${CMAKE_BINARY_DIR}/results/${name}.xml)
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT ${seconds})
endfunction()

# deputy_fuzzer(NAME LINKS…): tests/fuzz/NAME.cpp, smoke-run over its seed corpus and then on from it.
function(deputy_fuzzer name)
  if(NOT DEPUTY_KIND STREQUAL "asan")
    return()
  endif()
  deputy_program(fuzz_${name} SOURCES ${name}.cpp LINKS ${ARGN})
  target_compile_options(fuzz_${name} PRIVATE -I${source_from_build}/tests)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  add_test(NAME fuzz_${name} COMMAND ${CMAKE_SOURCE_DIR}/tests/fuzz/smoke $<TARGET_FILE:fuzz_${name}> ${name})
  set_tests_properties(fuzz_${name} PROPERTIES LABELS fuzz TIMEOUT 180)
endfunction()
